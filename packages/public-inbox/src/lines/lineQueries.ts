import { fileQuery, longestPhrase, phrase } from '../read/searchTerms.ts';
import { fileName, isTelling, type CommitFacts, type CommittedLine } from './committedLine.ts';

/** A maintainer may have changed one or the other. */
const mostLongest = 3;

/** Mails whose patch has exactly these changes. */
export function patchIdQuery(patchId: string | undefined): string | undefined {
	return patchId === undefined ? undefined : `patchid:${patchId}`;
}

/** Mails of the author with the commit's subject. */
export function titleQuery({ subject, author }: CommittedLine, hasPrefixes: boolean): string | undefined {
	const words = phrase(titleEnd(subject));
	return words === undefined || !hasPrefixes ? words : `s:${words}${fromQuery(author)}`;
}

/** Maintainers put names of parts before a subject, so its end counts if it has several words. */
export function titleEnd(subject: string): string {
	const end = subject.slice(subject.lastIndexOf(': ') + 1).trim();
	return end.split(' ').length < 3 ? subject : end;
}

/**
 * Mails of the author whose patch changes the file and has one of these lines. Some sites have no
 * prefix for added lines.
 */
export function lineQuery({ path, author }: CommittedLine, lines: readonly string[]): string | undefined {
	const words = [...new Set(lines)].filter(isTelling).flatMap((line) => phrase(line) ?? []);
	const added = words.map((each) => `dfb:${each} OR nq:${each}`).join(' OR ');
	const file = fileQuery(path);
	return words.length === 0 ? undefined : `${file === undefined ? '' : `${file} AND `}(${added})${fromQuery(author)}`;
}

/** The author may not be the sender; then the text names the author. */
function fromQuery(author: string): string {
	const words = phrase(author);
	return words === undefined ? '' : ` AND (f:${words} OR nq:${words})`;
}

/** The longest lines that the commit adds to the file: few patches have them. */
export function longestLines({ path }: CommittedLine, { added }: CommitFacts): readonly string[] {
	return [...(added.get(fileName(path))?.keys() ?? [])]
		.filter(({ length }) => length <= longestPhrase)
		.toSorted((one, other) => other.length - one.length)
		.slice(0, mostLongest);
}
