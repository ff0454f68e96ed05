import type { SeriesPatch } from './seriesReading.ts';

/** True if git needs `-p0`, because no patch has `a/` and `b/` in its names. */
export function areBare(patches: readonly Pick<SeriesPatch, 'patch'>[]): boolean {
	return patches.length > 0 && patches.every(({ patch }) => patch.diff.isBare);
}

/** Characters that shells leave alone inside a word. */
const plain = /^[\w./:~%@+=,-]+$/;

/**
 * Shell command that applies a patchset from the address of its `.mbox`. `undefined` for addresses outside the web and
 * for those with a name and password. Quotes other characters in a way that POSIX shells and PowerShell share.
 */
export function amCommand(mboxAddress: string, options = '-3'): string | undefined {
	const url = mboxAddress.length > 4096 ? null : URL.parse(mboxAddress);
	if (url === null || !['http:', 'https:'].includes(url.protocol) || url.username !== '' || url.password !== '') {
		return undefined;
	}
	const address = url.href.replaceAll("'", '%27');
	return `curl -s ${plain.test(address) ? address : `'${address}'`} | git am ${options}`;
}
