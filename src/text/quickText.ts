import type { MarkdownIt, StateCore, StateInline } from 'markdown-it';

/**
 * Reads plain words as quickly as they can be read; they are most of every text. What comes out is what the parser's own
 * rules make of it.
 */
export function useQuickText(md: MarkdownIt): void {
	md.inline.ruler.at('text', plainWords);
	md.core.ruler.at('normalize', normalized);
}

/** ASCII at which a rule of the parser may begin, its own list. */
const mayBeginRule = Uint8Array.from({ length: 128 }, (_, code) =>
	Number('\n!#$%&*+-:<=>@[\\]^_`{}~'.includes(String.fromCharCode(code))),
);

function plainWords(state: StateInline, isSilent: boolean): boolean {
	const { src, pos: start, posMax: end } = state;
	let at = start;
	// Beyond ASCII nothing begins a rule, and there is nothing in the table.
	while (at < end && mayBeginRule[src.charCodeAt(at)] !== 1) {
		at += 1;
	}
	if (at === start) {
		return false;
	}
	if (!isSilent) {
		state.pending += src.slice(start, at);
	}
	state.pos = at;
	return true;
}

/** Most texts have neither of the characters that have to be replaced. */
function normalized(state: StateCore): void {
	if (state.src.includes('\r')) {
		state.src = state.src.replaceAll(/\r\n?/g, '\n');
	}
	if (state.src.includes('\0')) {
		state.src = state.src.replaceAll('\0', '\uFFFD');
	}
}
