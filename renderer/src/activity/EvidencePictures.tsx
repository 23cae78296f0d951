import { useCallback, useState } from 'react';
import type { Evidence } from '../../../src/contract/action.ts';
import type { DashboardModel } from '../dashboard-model.ts';
import { showsNothing } from '../prompt/one-colour.ts';
import { usePicture } from './use-picture.ts';

type Props = { evidence: readonly Evidence[]; model: Pick<DashboardModel, 'client'> };

/** The target of an input before and after it, side by side where there is room. */
export function EvidencePictures({ evidence, model }: Props) {
  if (evidence.length === 0) return null;
  return (
    <div className="before-after">
      {evidence.map((picture) => (
        <Side key={picture.id} picture={picture} model={model} />
      ))}
    </div>
  );
}

function Side({ picture, model: { client } }: { picture: Evidence } & Pick<Props, 'model'>) {
  const { id, role, width, height } = picture;
  const [isBlank, setBlank] = useState(false);
  const load = useCallback(async () => {
    const picture = await client.picture(id);
    setBlank(picture.ok && (await showsNothing(picture.value)));
    return picture;
  }, [client, id]);
  const { url, problem } = usePicture(load);
  const name = role === 'before' ? 'Before' : 'After';
  return (
    <figure>
      <figcaption className="hint">{name}</figcaption>
      {url === undefined || isBlank ? (
        <p className="hint">{isBlank ? 'Nothing but one colour was there.' : (problem ?? 'Loading the picture…')}</p>
      ) : (
        <img className="picture" src={url} alt={`The target ${role} it`} width={width} height={height} />
      )}
    </figure>
  );
}
