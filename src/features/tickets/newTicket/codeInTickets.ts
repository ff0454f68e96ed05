import { maxOf } from '@forge-desk/base/longArrays.ts';
import type { ForgeInstance } from 'sourcehut/port/instance.ts';
import type { RepositoryRef } from 'sourcehut/port/repository.ts';
import { webAddress } from '../../../editor/links/webOf.ts';

/** Lines beyond these would bury what the ticket is about. */
const mostLines = 60;

/** Code in a fence that nothing in it can close; without the blanks that all lines begin with. */
export function fencedCode(lines: readonly string[], language: string): string {
	const shown = withoutIndent(lines.slice(0, mostLines));
	const longest = maxOf([2, ...shown.flatMap((line) => line.match(/`+/g) ?? []).map(({ length }) => length)]);
	const fence = '`'.repeat(longest + 1);
	const rest = lines.length > mostLines ? ['…'] : [];
	return [`${fence}${/^[\w+#-]+$/.test(language) ? language : ''}`, ...shown, ...rest, fence].join('\n');
}

function withoutIndent(lines: readonly string[]): readonly string[] {
	const indents = lines.filter((line) => line.trim() !== '').map((line) => /^[ \t]*/.exec(line)?.[0] ?? '');
	const [first = '', ...others] = indents;
	let common = first.length;
	for (const indent of others) {
		while (common > 0 && indent.slice(0, common) !== first.slice(0, common)) {
			common -= 1;
		}
	}
	return lines.map((line) => (line.trim() === '' ? '' : line.slice(common)));
}

/** Words that mark work to do, as people write them in comments. */
const marker = /(?:^|[^\p{L}\p{N}_])(?:TODO|FIXME|XXX|HACK)\b(?:\([^)]*\))?[:\s-]*(?<text>.*)/u;

/** Ends of comments in the usual languages. */
const commentEnd = /(?:\*\/|-->|#\}|%>|\*\))$/;

/** Text of a TODO comment; `undefined` for other lines. */
export function todoText(line: string): string | undefined {
	return marker.exec(line)?.groups?.['text']?.trimEnd().replace(commentEnd, '').trim();
}

/** The address under which the forge shows these lines for ever. Lines count from 1. */
export function permalink(
	instance: ForgeInstance,
	ref: RepositoryRef,
	commit: string,
	path: string,
	[first, last]: readonly [first: number, last: number],
): string {
	return webAddress(instance, { kind: 'file', ref, at: { ref: commit, path }, lines: { first, last } });
}
