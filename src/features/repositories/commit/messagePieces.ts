import type { RepositoryRef } from 'sourcehut/port/repository.ts';
import type { TrackerRef } from 'sourcehut/port/tracker.ts';
import type { TextPiece } from '../../../pages/protocol/pageProtocol.ts';
import { linkedText } from '../../../engine/text/linkedText.ts';
import { referencesIn } from '../../../engine/text/references.ts';
import type { WebAddresses } from 'sourcehut/port/webAddresses.ts';

/** Context of a commit's text. */
export interface MessagePlace {
	readonly ref: RepositoryRef;
	readonly web: WebAddresses;
	/** True for known trackers; only then does a bare `#12` link to a ticket. */
	readonly knows: (tracker: TrackerRef) => boolean;
}

/** A message that names more is no message. */
const mostFound = 1000;

/**
 * A full or abbreviated commit id. Abbreviations have at least git's minimum length, a digit and a letter, because
 * words and dates use the same characters.
 */
const commitId = /(?<![\w-])(?:[0-9a-f]{64}|[0-9a-f]{40}|(?=[a-f]*\d)(?=\d*[a-f])[0-9a-f]{7,39})(?![\w-])/g;

/**
 * Splits text into pieces with links: the usual ones, commits of the repository, and tickets of its owner's trackers.
 */
export function messagePieces(text: string, place: MessagePlace): readonly TextPiece[] {
	let left = mostFound;
	return linkedText(text, place).flatMap((piece) => {
		if (piece.kind === 'link') {
			return [piece];
		}
		const links = linksIn(piece.text, place).slice(0, left);
		left -= links.length;
		const pieces: TextPiece[] = [];
		let from = 0;
		for (const { start, end, href } of links) {
			if (start < from) {
				continue;
			}
			if (start > from) {
				pieces.push({ kind: 'text', text: piece.text.slice(from, start) });
			}
			pieces.push({ kind: 'link', text: piece.text.slice(start, end), href });
			from = end;
		}
		return from < piece.text.length ? [...pieces, { kind: 'text', text: piece.text.slice(from) }] : pieces;
	});
}

interface FoundLink {
	readonly start: number;
	readonly end: number;
	readonly href: string;
}

function linksIn(text: string, { ref, web, knows }: MessagePlace): readonly FoundLink[] {
	const commits = Array.from(text.matchAll(commitId)).flatMap(({ index, 0: id }): readonly FoundLink[] => {
		const href = web.address({ kind: 'commit', ref, id });
		return href === undefined ? [] : [{ start: index, end: index + id.length, href }];
	});
	const references = text.includes('#') ? referencesIn(text, []) : [];
	const tickets = references.flatMap((found): readonly FoundLink[] => {
		if (!('written' in found) || found.written.kind !== 'ticket') {
			return [];
		}
		const { owner = ref.owner, name = ref.name, id } = found.written;
		const href = web.address({ kind: 'ticket', ref: { tracker: { owner, name }, id } });
		return href !== undefined && knows({ owner, name }) ? [{ start: found.start, end: found.end, href }] : [];
	});
	return [...commits, ...tickets].toSorted((a, b) => a.start - b.start);
}
