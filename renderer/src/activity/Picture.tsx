import { useCallback } from 'react';
import type { Artifact } from '../../../src/contract/action.ts';
import type { DashboardModel } from '../dashboard-model.ts';
import { usePicture } from './use-picture.ts';

type Props = { artifact: Pick<Artifact, 'id' | 'width' | 'height'>; model: Pick<DashboardModel, 'client'> };

/** A picture that an action made. Its bytes come under the key of the session; there is no address that opens it. */
export function Picture({ artifact: { id, width, height }, model: { client } }: Props) {
  const { url, problem } = usePicture(useCallback(() => client.picture(id), [client, id]));
  if (problem !== undefined) return <p className="hint">{problem}</p>;
  if (url === undefined) return <p className="hint">Loading the picture…</p>;
  return <img className="picture" src={url} alt={`Screenshot, ${width} × ${height}`} width={width} height={height} />;
}
