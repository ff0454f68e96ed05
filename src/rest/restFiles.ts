import { artifactStream, fileWish, homeFile, type StreamOptions } from '../answers/streamedFile.ts';
import type { RepositoryApi } from '../forge/forge.ts';
import type { CallerOptions } from './caller.ts';
import { pathOf } from './path.ts';
import { problemOf } from './problems.ts';
import { repositoryEndpoints } from './repositoryEndpoints.ts';
import { spellingOf } from './restProtocol.ts';

/** Streams files of repositories and tags. */
export function restFiles(options: CallerOptions): Required<Pick<RepositoryApi, 'blobStream' | 'artifact'>> {
	const { instance, clock, me } = options;
	const { names: scopeNames } = spellingOf(instance);
	const streaming: StreamOptions = {
		...options,
		problemOf: (head, from) => problemOf(head, { ...from, nowMs: clock.nowMs(), scopeNames }),
	};
	return {
		// By commit and path, the only file route of every server. All files have the type of plain text or bytes.
		async *blobStream(ref, at, limitBytes, signal) {
			const target = { params: { name: ref.name, ref: at.ref, path: at.path }, owner: ref.owner };
			const path = pathOf(repositoryEndpoints.pathBlob, target, me);
			yield* homeFile(streaming, { wish: fileWish, path, limitBytes }, signal);
		},
		artifact: artifactStream(streaming),
	};
}
