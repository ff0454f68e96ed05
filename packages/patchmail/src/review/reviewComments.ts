import type { Steps } from '@forge-desk/base/timeSlice.ts';
import { minOf, pushAll } from '@forge-desk/base/longArrays.ts';
import { joinedFlow, joinedLineNumbers } from '../mail/mailContent.ts';
import type { ReadableMail } from '../mail/readableMail.ts';
import { answeredPatches, isAnswer, parentsIn } from '../series/answeredPatches.ts';
import { withoutBlankEnds } from '../series/blankEnds.ts';
import { inSentOrder } from '../series/sentOrder.ts';
import type { SeriesMail, SeriesReading } from '../series/seriesReading.ts';
import { trailerLines } from '../series/trailerLines.ts';
import { verdictIn } from '../series/verdict.ts';
import { type Placing, placeBelow, placeOnTop, type MatchedReply } from './commentPlaces.ts';
import { isElision } from './attribution.ts';
import { isCourtesy, isGreeting } from './courtesy.ts';
import { matchQuotes, type Distances, type Expected } from './matchQuotes.ts';
import { replyBlocks, type ReplyBlock } from './replyBlocks.ts';
import { replyLines, type Names, type ReplyLine } from './replyLines.ts';
import type { ReviewComment } from './reviewComment.ts';
import { SourceIndex } from './sourceIndex.ts';
import { coverSections, patchSections, type SourceLine } from './sourceLines.ts';

/** Longer lines contain more than a patch name. */
const longest = 120;

const numbered = /(?:^|[\s[(#])(\d{1,4})\/(\d{1,4})(?=$|[\s\]):,.])/;

const called = /(?:^|\s)patch #?(\d{1,4})(?=$|[\s:,.])/i;

/** Text beyond this limit becomes one comment on the whole mail. */
const farthest = 1_000_000;
/** Maximum distance for depth matching. */
const mostAbove = 40;

/**
 * All comments of a thread on a series, oldest mail first. Each is placed on its quoted lines, below the comment it
 * answers, or on a patch or the series. Loses no comment. Linear in the texts.
 */
export function* reviewComments(thread: readonly SeriesMail[], series: SeriesReading): Steps<readonly ReviewComment[]> {
	const index = new SourceIndex();
	if (series.cover !== undefined) {
		yield* index.add(coverSections(series.cover));
		yield;
	}
	for (const patch of series.patches) {
		yield* index.add(patchSections(patch));
		yield;
	}
	const conversation = new Conversation(thread, series);
	const others = conversation.mails.filter(({ id }) => !conversation.parts.has(id));
	// A reply may arrive before its patch. Comments on other patches must not match similar lines of the series.
	for (const mail of others.filter((each) => conversation.isOtherPatch(each))) {
		const text = mail.reading.kind === 'read' ? mail.reading.mail.body : mail.reading.text;
		const origin = { kind: 'aside', mailId: mail.id } as const;
		yield* index.add([{ part: 0, lines: text.split('\n').map((line) => ({ text: line, origin })) }]);
		yield;
	}
	const found: ReviewComment[] = [];
	for (const mail of others.filter((each) => !conversation.isOtherPatch(each))) {
		const { comments: said, lines } = yield* commentsOf(mail, index, conversation);
		const comments = conversation.isBeforeSeries(mail)
			? said.map((comment): ReviewComment => ({ ...comment, place: { kind: 'elsewhere' } }))
			: said;
		// The quotations of a reply belong to other mails.
		const asides = lines.flatMap((line): readonly SourceLine[] =>
			line.kind === 'aside' ? [{ text: line.text, origin: { kind: 'aside', mailId: mail.id } }] : [],
		);
		const own = comments.flatMap((comment) =>
			comment.prose
				.split('\n')
				.map((text): SourceLine => ({ text, origin: { kind: 'comment', mailId: mail.id, comment } })),
		);
		yield* index.add([{ part: 0, lines: [...asides, ...own] }]);
		conversation.note(mail, comments);
		pushAll(found, comments);
		yield;
	}
	return found;
}

interface ReadReply {
	readonly comments: readonly ReviewComment[];
	readonly lines: readonly ReplyLine[];
}

function* commentsOf(mail: SeriesMail, index: SourceIndex, conversation: Conversation): Steps<ReadReply> {
	const { reading } = mail;
	const whole = conversation.whole(mail);
	if (reading.kind === 'raw') {
		return { comments: [restOf(mail, 0, reading.text, whole)], lines: [] };
	}
	const names = conversation.names(mail);
	const lines = yield* replyLines(reading.mail.body.slice(0, farthest), index, names);
	const matches = yield* matchQuotes(lines, index, conversation.expected(mail, lines));
	const { parts } = conversation;
	const reply = { lines, matches, index, whole, parts, answered: conversation.answered(mail) };
	const comments = replyComments(mail, reading.mail, reply, names);
	const rest = reading.mail.body.slice(farthest).trim();
	return { comments: rest === '' ? comments : [...comments, restOf(mail, comments.length, rest, whole)], lines };
}

/** The unparsed rest of a long mail as one comment. */
function restOf(mail: SeriesMail, index: number, prose: string, { place, answers }: Placing): ReviewComment {
	return { mail, index, prose, lastLine: Infinity, quote: [], place, answers, isCourtesy: false };
}

/** Reply structure of the thread. */
class Conversation {
	/** Oldest first, each after the mail that it answers, without duplicates. */
	readonly mails: readonly SeriesMail[];
	/** Mail numbers of the series. */
	readonly parts: ReadonlySet<number>;
	readonly #subjects: ReadonlySet<string>;
	/** Arrival of the series' first mail. */
	readonly #begunMs: number;
	readonly #series: SeriesReading;
	readonly #byId: ReadonlyMap<number, SeriesMail>;
	readonly #parentOf: (mail: SeriesMail) => SeriesMail | undefined;
	readonly #patchesOf: (mail: SeriesMail) => readonly number[];
	readonly #comments = new Map<number, readonly ReviewComment[]>();

	constructor(thread: readonly SeriesMail[], series: SeriesReading) {
		const { cover, patches } = series;
		const own = [...(cover === undefined ? [] : [cover]), ...patches.map(({ mail }) => mail)];
		const all = [...own, ...thread];
		this.#subjects = new Set(own.map(({ subject }) => subject));
		this.#begunMs = minOf(own.map(({ createdMs }) => createdMs));
		this.parts = new Set(own.map(({ id }) => id));
		this.#byId = new Map(all.map((mail) => [mail.id, mail]));
		const mails = Array.from(this.#byId.values());
		this.#parentOf = parentsIn(mails);
		// A reply may arrive before the mail that it answers.
		this.mails = inSentOrder(mails, { parentOf: this.#parentOf, sentMsOf: ({ createdMs }) => createdMs });
		this.#series = series;
		this.#patchesOf = answeredPatches(this.mails, series);
	}

	note({ id }: SeriesMail, comments: readonly ReviewComment[]): void {
		this.#comments.set(id, comments);
	}

	/** True for a patch or cover letter outside the series. A mail with the subject of a part is a reply. */
	isOtherPatch(mail: SeriesMail): boolean {
		return !isAnswer(mail) && !this.#subjects.has(mail.subject);
	}

	/** True for an earlier mail that doesn't answer the series. */
	isBeforeSeries(mail: SeriesMail): boolean {
		return mail.createdMs < this.#begunMs && this.#patchesOf(mail).length === 0;
	}

	/** Comments of the answered mail. */
	answered(mail: SeriesMail): readonly ReviewComment[] {
		const parent = this.#parentOf(mail);
		return (parent === undefined ? undefined : this.#comments.get(parent.id)) ?? [];
	}

	distances(mail: SeriesMail): Distances {
		const found = new Map<number, number>();
		let above = this.#parentOf(mail);
		for (let distance = 1; above !== undefined && !found.has(above.id) && distance <= mostAbove; distance++) {
			found.set(above.id, distance);
			above = this.#parentOf(above);
		}
		return found;
	}

	/** Replies to the cover letter name patches; a reply to a patch quotes that one, whatever it names. */
	expected(mail: SeriesMail, lines: readonly ReplyLine[]): Expected {
		const distances = this.distances(mail);
		const isOfPatch = this.#series.patches.some((patch) => distances.has(patch.mail.id));
		return { distances, named: isOfPatch ? [] : namedPatches(lines, this.#series) };
	}

	/** Writers of the quotable mails: names and addresses in lower case. */
	names(mail: SeriesMail): Names {
		const mails = [mail, ...[...this.distances(mail).keys()].slice(0, 4).map((id) => this.#byId.get(id))];
		return mails.flatMap((each) => {
			const people = each?.reading.kind === 'read' ? each.reading.mail.from.slice(0, 2) : [];
			return people
				.flatMap(({ name, address }) => [name.toLowerCase(), address.toLowerCase()])
				.filter((text) => text !== '');
		});
	}

	/** Place of a comment on a mail as a whole. */
	whole(mail: SeriesMail): Placing {
		const [only] = this.answered(mail).filter(({ place }) => place.kind === 'general');
		const { cover, patches } = this.#series;
		const indexes = this.#patchesOf(mail);
		const [first] = indexes;
		if (first === undefined) {
			return { place: { kind: 'elsewhere' }, answers: only };
		}
		const patch = indexes.length === 1 ? patches.find(({ index }) => index === first) : undefined;
		return { place: { kind: 'general', mailId: patch?.mail.id ?? cover?.id }, answers: only };
	}
}

/** For each reply line, the last patch named above it, as in `In 2/3:` or `[PATCH 2/3]`. */
function namedPatches(lines: readonly ReplyLine[], { patches, count }: SeriesReading): readonly (number | undefined)[] {
	const byIndex = new Map(patches.map(({ index, mail }) => [index, mail.id]));
	let last: number | undefined;
	return lines.map((line) => {
		const text = 'text' in line && line.text.length <= longest ? line.text : '';
		const [, index, of] = numbered.exec(text) ?? called.exec(text) ?? [];
		if (index !== undefined && (of === undefined || Number(of) === count)) {
			last = byIndex.get(Number(index)) ?? last;
		}
		return last;
	});
}

/** Comments of a mail with their places. Skips a greeting and a sign-off around other comments. */
function replyComments(
	mail: SeriesMail,
	{ from, body, isFlowed }: ReadableMail,
	reply: MatchedReply,
	names: Names,
): readonly ReviewComment[] {
	const ownNames = from.slice(0, 2).flatMap(({ name }) => {
		const words = name
			.toLowerCase()
			.split(/[\s.,"']+/)
			.filter((word) => word !== '');
		const initials = words.map((word) => word.slice(0, 1));
		return words.length === 0 ? [] : [words.join(' '), ...words, initials.join(''), initials[0]!];
	});
	const signers = [...names, ...ownNames];
	const blocks = withFootnotes(withoutCourtesy(replyBlocks(reply.lines, reply.matches), signers), signers);
	const written = blocks.filter(({ prose }) => prose.length > 0);
	const lineNumbers = isFlowed ? joinedLineNumbers(body) : undefined;
	const comments: ReviewComment[] = [];
	for (const [at, block] of blocks.entries()) {
		if (block.prose.length > 0) {
			const isPolite = isCourtesy(block.prose, signers);
			const isTrailers = block === written.at(-1) && isTrailersOnly(block.prose, signers);
			const isOfWhole = isTrailers || (written.length === 1 && isWholePatch(block, reply));
			const placing = isOfWhole ? reply.whole : placingOf(at, blocks, reply);
			const text = block.prose.join('\n');
			const quote = block.quoted.flatMap((line) => quotedText(reply, line));
			const { place } = placing;
			const line = place.kind === 'file' ? lineOutside(text, quote) : undefined;
			const exact = place.kind === 'file' && line !== undefined ? { ...place, line } : place;
			comments.push({
				mail,
				index: comments.length,
				prose: isFlowed ? joinedFlow(text, false) : text,
				lastLine: lineNumbers?.[block.proseEnd] ?? block.proseEnd,
				quote,
				// Thanks may answer a comment, but never a code line.
				...(isPolite && placing.answers === undefined ? reply.whole : { ...placing, place: exact }),
				isCourtesy: isPolite,
			});
		}
	}
	return comments;
}

/** The line of `path:41:` above a comment on a quoted file, as `replyBody` writes it. */
function lineOutside(prose: string, quote: readonly string[]): number | undefined {
	const [, path, line] = /^(\S.{0,4000}):([1-9]\d{0,8}):(?:\n|$)/.exec(prose) ?? [];
	return path !== undefined && quote.some((each) => each.endsWith(`/${path}`)) ? Number(line) : undefined;
}

function placingOf(at: number, blocks: readonly ReplyBlock[], reply: MatchedReply): Placing {
	const quoted = blocks[at]!.quoted;
	if (quoted.some((line) => reply.lines[line]?.kind !== 'blank')) {
		return placeBelow(quoted, reply);
	}
	const next = blocks[at + 1];
	const isAllThatIsSaid = blocks.length === 1 || (blocks.length === 2 && next?.prose.length === 0);
	return isAllThatIsSaid ? placeOnTop(next, reply) : reply.whole;
}

/** Removes a sign-off at the end and a greeting at the top, unless nothing else is left. */
function withoutCourtesy(blocks: readonly ReplyBlock[], signers: Names): readonly ReplyBlock[] {
	const last = blocks.findLastIndex(({ prose }) => prose.length > 0);
	const signed = last === -1 || !isCourtesy(blocks[last]!.prose, signers) ? blocks : withoutProse(blocks, last);
	const first = signed.findIndex(({ prose }) => prose.length > 0);
	if (first === -1) {
		return signed;
	}
	const { prose, quoted } = signed[first]!;
	const isGreetingLine = (line: string): boolean => isGreeting(line, signers);
	// Thanks alone may be the whole comment, and thanks below a quotation may answer it.
	const isOpening =
		prose.every((line) => line.trim() === '' || isElision(line) || isGreetingLine(line)) ||
		(quoted.length === 0 && prose.some(isGreetingLine) && isCourtesy(prose, signers));
	return isOpening ? withoutProse(signed, first) : signed;
}

/** Keeps the only prose. */
function withoutProse(blocks: readonly ReplyBlock[], at: number): readonly ReplyBlock[] {
	return blocks.some(({ prose }, place) => place !== at && prose.length > 0)
		? blocks.map((block, place) => (place === at ? { ...block, prose: [] } : block))
		: blocks;
}

const footnote = /^\s{0,4}\[(\d{1,3})\]/;

/** Moves footnotes at the end to the comment that names the first of them. */
function withFootnotes(blocks: readonly ReplyBlock[], signers: Names): readonly ReplyBlock[] {
	const last = blocks.findLastIndex(({ prose }) => prose.length > 0);
	const prose = blocks[last]?.prose ?? [];
	const end = prose.findLastIndex((line, at) => line.trim() === '' && isCourtesy(prose.slice(at), signers));
	const notes = end === -1 ? prose : withoutBlankEnds(prose.slice(0, end));
	const isNotes = notes.every(
		(line, at) => line.trim() === '' || (at > 0 && notes[at - 1]!.trim() !== '') || footnote.test(line),
	);
	const [, label] = (isNotes ? footnote.exec(notes[0] ?? '') : undefined) ?? [];
	const owner = blocks.findIndex((block, at) => at < last && block.prose.some((line) => line.includes(`[${label}]`)));
	return label === undefined || owner === -1
		? blocks
		: blocks.map((block, at) =>
				at === owner
					? { ...block, prose: [...block.prose, '', ...notes] }
					: at === last
						? { ...block, prose: [] }
						: block,
			);
}

/**
 * True for text below a whole patch: from its message to its last change, and further. A quotation that ends with the
 * last change is about that line, unless the text is a verdict. So is one that ends with the words of somebody else.
 */
function isWholePatch({ quoted, prose }: ReplyBlock, { lines, matches, index }: MatchedReply): boolean {
	const known = quoted.flatMap((line) => matches[line] ?? []);
	const last = known.at(-1)?.last;
	const end = quoted.findLast((at) => {
		const line = lines[at];
		return line?.kind === 'quoted' && line.behind.at(-1)!.trim() !== '';
	});
	return (
		last !== undefined &&
		index.originOf(last)?.kind === 'line' &&
		index.isBelowChanges(last) &&
		(!index.isChange(last) || verdictIn(prose, '') !== undefined) &&
		known.some(({ first }) => index.originOf(first)?.kind === 'message') &&
		(end === undefined || matches[end] !== undefined) &&
		!quoted.some((line) => lines[line]?.kind === 'elision')
	);
}

/** Trailers such as `Reviewed-by:` apply to the whole patch, even above a sign-off; links and commands for robots too. */
function isTrailersOnly(prose: readonly string[], signers: Names): boolean {
	const lines = prose.filter((line) => line.trim() !== '');
	const rest = lines.filter(
		(line) => trailerLines([line]).length === 0 && !/^pw-bot: ?\S+$|^\s{0,4}\[\d{1,3}\]:? ?\w+:\/\/\S+$/.test(line),
	);
	return rest.length < lines.length && (rest.length === 0 || isCourtesy(rest, signers));
}

function quotedText({ lines }: MatchedReply, at: number): readonly string[] {
	const line = lines[at]!;
	switch (line.kind) {
		case 'quoted':
			return [line.behind[0]!];
		case 'own':
		case 'unmarked':
			return [line.text];
		case 'elision':
			return ['[...]'];
		case 'blank':
		case 'aside':
			return [];
	}
}
