import type { GitPatch } from './gitPatch.ts';
import type { PatchBytes } from './readableMail.ts';

/** `shown`: the patch as it was decoded. `undefined` where that is ASCII, so that its bytes are its text. */
export function patchBytesOf(
	{ bytes, charset }: Pick<GitPatch, 'bytes' | 'charset'>,
	envelope: string,
	shown: string,
): PatchBytes | undefined {
	const hasLosses = envelope.includes('\uFFFD') && bytes.includes('\u00EF\u00BF\u00BD');
	return /\P{ASCII}/u.test(shown) && bytes !== '' ? { bytes, charset, hasLosses } : undefined;
}
