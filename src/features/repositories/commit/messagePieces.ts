import type { RepositoryRef } from 'sourcehut/port/repository.ts';
import type { TrackerRef } from 'sourcehut/port/tracker.ts';
import type { TextPiece } from '../../../pages/protocol/pageProtocol.ts';
import { ticketPath, userPath } from '../../../engine/text/forgeAddress.ts';
import { linkedText } from '../../../engine/text/linkedText.ts';
import { referencesIn } from '../../../engine/text/references.ts';

/** Context of a commit's text. */
export interface MessagePlace {
	readonly ref: RepositoryRef;
	/** Origins of the areas. */
	readonly todo: string;
	readonly git: string;
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
		return withLinks(piece.text, links);
	});
}

interface FoundLink {
	readonly start: number;
	readonly end: number;
	readonly href: string;
}

function linksIn(text: string, place: MessagePlace): readonly FoundLink[] {
	const { git, ref } = place;
	const commits = Array.from(text.matchAll(commitId), ({ index, 0: id }) => ({
		start: index,
		end: index + id.length,
		href: `${git}${userPath(ref.owner)}${userPath(ref.name)}/commit/${id}`,
	}));
	return [...commits, ...ticketsIn(text, place)].toSorted((a, b) => a.start - b.start);
}

function ticketsIn(text: string, { ref, todo, knows }: MessagePlace): readonly FoundLink[] {
	if (!text.includes('#')) {
		return [];
	}
	return referencesIn(text, []).flatMap((found): readonly FoundLink[] => {
		if (!('written' in found) || found.written.kind !== 'ticket') {
			return [];
		}
		const { owner = ref.owner, name = ref.name, id } = found.written;
		return knows({ owner, name })
			? [{ start: found.start, end: found.end, href: `${todo}${ticketPath({ owner, name }, id)}` }]
			: [];
	});
}

function withLinks(text: string, links: readonly FoundLink[]): readonly TextPiece[] {
	const pieces: TextPiece[] = [];
	let from = 0;
	for (const { start, end, href } of links) {
		if (start < from) {
			continue;
		}
		if (start > from) {
			pieces.push({ kind: 'text', text: text.slice(from, start) });
		}
		pieces.push({ kind: 'link', text: text.slice(start, end), href });
		from = end;
	}
	return from < text.length ? [...pieces, { kind: 'text', text: text.slice(from) }] : pieces;
}
