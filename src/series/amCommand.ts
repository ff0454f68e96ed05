import type { SeriesPatch } from './seriesReading.ts';

/** Whether git needs the option `-p0` for these patches: none has `a/` and `b/` in its names. */
export function areBare(patches: readonly Pick<SeriesPatch, 'patch'>[]): boolean {
	return patches.length > 0 && patches.every(({ patch }) => patch.diff.isBare);
}

/** Everything that a shell takes as it is in the middle of a word. */
const plain = /^[\w./:~%@+=,-]+$/;

/**
 * The command that applies a patchset from the address of its `.mbox`, as the forge's pages give it. `undefined` for an
 * address that is none of the web's or carries a name and password. What a shell would not take as it is stands in
 * quotes, which POSIX shells and PowerShell read alike.
 */
export function amCommand(mboxAddress: string, options = '-3'): string | undefined {
	const url = mboxAddress.length > 4096 ? null : URL.parse(mboxAddress);
	if (url === null || !/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '') {
		return undefined;
	}
	const address = url.href.replaceAll("'", '%27');
	return `curl -s ${plain.test(address) ? address : `'${address}'`} | git am ${options}`;
}
