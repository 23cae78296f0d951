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
          <StoredPicture
            key={picture.id}
            picture={picture}
            {...WORDS[other === undefined ? picture.role : 'before and after']}
            model={model}
          />
        ),
      )}
    </div>
  );
}

type StoredProps = { picture: Evidence; caption: string; alt: string } & Pick<Props, 'model'>;

/** A picture that is kept, with its caption. */
export function StoredPicture({ picture: { id, width, height }, caption, alt, model: { client } }: StoredProps) {
  const load = useCallback(() => client.picture(id), [client, id]);
  const { url, problem } = usePicture(load);
  return (
    <figure>
      <figcaption className="hint">{caption}</figcaption>
      {url === undefined ? (
        <p className="hint">{problem ?? 'Loading the picture…'}</p>
      ) : (
        <img className="picture" src={url} alt={alt} width={width} height={height} />
      )}
    </figure>
  );
}

const WORDS = {
  before: { caption: 'Before', alt: 'The target before it' },
  after: { caption: 'After', alt: 'The target after it' },
  'before and after': { caption: 'Before and after: nothing changed here', alt: 'The target before and after it' },
};
