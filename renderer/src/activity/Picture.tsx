import { useEffect, useState } from 'react';
import type { Artifact } from '../../../src/contract/action.ts';
import type { DashboardModel } from '../dashboard-model.ts';

type Props = { artifact: Pick<Artifact, 'id' | 'width' | 'height'>; model: Pick<DashboardModel, 'client'> };

/** A picture that an action made. Its bytes come under the key of the session; there is no address that opens it. */
export function Picture({ artifact: { id, width, height }, model }: Props) {
  const [url, setUrl] = useState<string>();
  const [problem, setProblem] = useState<string>();
  useEffect(() => {
    let made: string | undefined;
    let isGone = false;
    void model.client.picture(id).then((answer) => {
      if (isGone) return;
      if (!answer.ok) return setProblem(answer.failure.detail);
      made = URL.createObjectURL(answer.value);
      setUrl(made);
    });
    return () => {
      isGone = true;
      if (made !== undefined) URL.revokeObjectURL(made);
    };
  }, [model, id]);
  if (problem !== undefined) return <p className="hint">{problem}</p>;
  if (url === undefined) return <p className="hint">Loading the picture…</p>;
  return <img className="picture" src={url} alt={`Screenshot, ${width} × ${height}`} width={width} height={height} />;
}
