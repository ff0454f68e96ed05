import type { RepositoryApi } from '../forge/forge.ts';
import { ForgeError } from '../forge/forgeError.ts';
import type { CallerOptions } from './caller.ts';
import { checkedPath, pathOf } from './path.ts';
import { repositoryEndpoints } from './repositoryEndpoints.ts';
import { fileWish, streamedFile } from './streamedFile.ts';

/** Files of repositories in pieces, by commit and path: the one route for files that every server has. */
export function blobStream(options: CallerOptions): RepositoryApi['blobStream'] & {} {
	return async function* (ref, at, limitBytes, signal) {
		const origin = options.instance.areas.git;
		const target = { params: { name: ref.name, ref: at.ref, path: at.path }, owner: ref.owner };
		const path = checkedPath(origin, pathOf(repositoryEndpoints.pathBlob, target, options.me));
		const token = await options.tokenFor(fileWish, signal);
		if (token === undefined) {
			throw new ForgeError({ kind: 'notSignedIn' });
		}
		// Servers send every file as plain text or as bytes, pages among them; a page is one for signing in.
		yield* streamedFile(options, { origin, path, limitBytes, token, mayBePage: false }, signal);
	};
}
