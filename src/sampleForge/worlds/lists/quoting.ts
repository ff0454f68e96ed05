const linesBefore = 5;

/** Quotes one patch mail piece by piece, as people do who read it from top to bottom. */
export function createPatchQuoter(text: string) {
	const lines = text.split('\n');
	let quotedTo = -1;
	return {
		/**
		 * Quotes the hunk up to the next line with the needle: its header, unless quoted before, and the last lines. Throws
		 * if no hunk has such a line, which is a bug in the plans.
		 */
		quote(needle: string) {
			const at = lines.findIndex((line, index) => {
				return index > quotedTo && /^[-+ ]/.test(line) && line.includes(needle) && headerBefore(lines, index) >= 0;
			});
			if (at === -1) {
				throw new Error(`No hunk holds: ${needle}`);
			}
			const header = headerBefore(lines, at);
			const from = Math.max(header + 1, at - linesBefore, quotedTo + 1);
			const shown = [...(header > quotedTo ? lines.slice(header, header + 1) : []), ...lines.slice(from, at + 1)];
			quotedTo = at;
			return quote(shown);
		},
	};
}

function headerBefore(lines: readonly string[], at: number): number {
	for (let index = at; index >= 0; index--) {
		if (lines[index]?.startsWith('@@ ') === true) {
			return index;
		}
		if (lines[index]?.startsWith('diff --git ') === true) {
			return -1;
		}
	}
	return -1;
}

/** Quotes the last own lines of a text. */
export function quoteSpeech(text: string): string {
	const own = text.replace(/\n-- \n[^]*$/, '').split('\n');
	const spoken = own.filter((line) => line !== '' && !line.startsWith('>') && !line.endsWith(' wrote:'));
	return quote(spoken.slice(-2));
}

function quote(lines: readonly string[]): string {
	return lines.map((line) => (line === '' || line.startsWith('>') ? `>${line}` : `> ${line}`)).join('\n');
}
