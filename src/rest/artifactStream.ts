import type { RepositoryApi } from '../forge/forge.ts';
import { ForgeError } from '../forge/forgeError.ts';
import type { Artifact } from '../forge/repository.ts';
import type { CallerOptions } from './caller.ts';
import { checkedPath } from './path.ts';
import { fileWish, streamedFile } from './streamedFile.ts';

/**
 * Files of tags (docs/protocol.md#references). They lie at whole addresses that the server names, often at a storage of
 * its own: only the exact origin of the repository area gets the token, and others have to be encrypted.
 */
export function artifactStream(options: CallerOptions): RepositoryApi['artifact'] & {} {
	return async function* (_ref, artifact, signal) {
		const home = options.instance.areas.git;
		const { origin, path } = addressOf(artifact, home);
		const isHome = origin === home;
		const token = isHome ? await options.tokenFor(fileWish, signal) : undefined;
		// A page is a file like any other where the name says so, and a sign-in page where it does not.
		const mayBePage = /\.x?html?$/i.test(artifact.filename);
		yield* streamedFile(options, { origin, path, limitBytes: artifact.sizeBytes, token, mayBePage }, signal);
	};
}

function addressOf({ url }: Artifact, home: string): { readonly origin: string; readonly path: string } {
	const address = URL.parse(url);
	const mayBeAsked = address !== null && (address.origin === home || address.protocol === 'https:');
	if (!mayBeAsked || address.username !== '' || address.password !== '') {
		throw new ForgeError({ kind: 'notUnderstood', where: 'artifacts.url', why: 'no file may lie at such an address' });
	}
	return { origin: address.origin, path: checkedPath(address.origin, `${address.pathname}${address.search}`) };
}
