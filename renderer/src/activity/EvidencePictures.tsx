import { useCallback } from 'react';
import type { Evidence } from '../../../src/contract/action.ts';
import type { DashboardModel } from '../dashboard-model.ts';
import { usePicture } from './use-picture.ts';

type Props = { evidence: readonly Evidence[]; model: Pick<DashboardModel, 'client'> };

/** The target of an input before and after it, side by side where there is room; once where both pictures are the same. */
export function EvidencePictures({ evidence, model }: Props) {
  if (evidence.length === 0) return null;
  return (
    <div className="before-after">
      {[...Map.groupBy(evidence, ({ sha256 }) => sha256).values()].map(([picture, other]) =>
        picture === undefined ? null : (
          <Side
            key={picture.id}
            picture={picture}
            role={other === undefined ? picture.role : 'before and after'}
            model={model}
          />
        ),
      )}
    </div>
  );
}

type SideProps = { picture: Evidence; role: keyof typeof WORDS } & Pick<Props, 'model'>;

function Side({ picture: { id, width, height }, role, model: { client } }: SideProps) {
  const load = useCallback(() => client.picture(id), [client, id]);
  const { url, problem } = usePicture(load);
  return (
    <figure>
      <figcaption className="hint">{WORDS[role]}</figcaption>
      {url === undefined ? (
        <p className="hint">{problem ?? 'Loading the picture…'}</p>
      ) : (
        <img className="picture" src={url} alt={`The target ${role} it`} width={width} height={height} />
      )}
    </figure>
  );
}

const WORDS = { before: 'Before', after: 'After', 'before and after': 'Before and after: nothing changed here' };
