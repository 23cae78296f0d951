import type { DashboardModel } from '../dashboard-model.ts';
import { useLoaded } from '../use-loaded.ts';
import { Switch } from './Switch.tsx';

/** Whether the person gets pictures of clicks and keys. */
export function EvidenceSwitch({ model }: { model: DashboardModel }) {
  const { value, reload } = useLoaded(model, model.client.settings);
  if (value === undefined) return null;
  const change = async (keepsEvidence: boolean) => {
    const text = keepsEvidence ? 'Pictures of clicks and keys are kept.' : 'No pictures of clicks and keys are taken.';
    await model.act(model.client.putSettings({ ...value, keepsEvidence }), text);
    await reload();
  };
  return (
    <section className="section" aria-labelledby="evidence-title">
      <h2 id="evidence-title">Pictures of clicks and keys</h2>
      <Switch
        label="Keep a small picture of the target before and after each click or key"
        hint="Only you see them, in the runs. They are kept for 24 hours."
        isOn={value.keepsEvidence !== false}
        onChange={(isOn) => void change(isOn)}
      />
    </section>
  );
}
