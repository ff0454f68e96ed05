import type { Steps } from '../base/timeSlice.ts';
import { answeredPatches, isAnswer, parentsIn } from '../series/answeredPatches.ts';
import { arrivalOrder } from '../series/seriesProblems.ts';
import type { SeriesMail, SeriesReading } from '../series/seriesReading.ts';
import type { Placing } from './commentPlaces.ts';
import { matchQuotes, type Distances, type Expected } from './matchQuotes.ts';
import { namedPatches } from './namedPatches.ts';
import { replyComments } from './replyComments.ts';
import { replyLines, type Names, type ReplyLine } from './replyLines.ts';
import type { CommentPlace, ReviewComment } from './reviewComment.ts';
import { SourceIndex } from './sourceIndex.ts';
import { coverSections, patchSections, type SourceLine, type SourceSection } from './sourceLines.ts';

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
	// A reply may arrive before its patch.
	for (const mail of others.filter((each) => conversation.isOtherPatch(each))) {
		yield* index.add(otherPatch(mail));
		yield;
	}
	const found: ReviewComment[] = [];
	for (const mail of others.filter((each) => !conversation.isOtherPatch(each))) {
		const { comments: said, lines } = yield* commentsOf(mail, index, conversation);
		const comments = conversation.isBeforeSeries(mail) ? said.map(elsewhere) : said;
		yield* index.add([{ part: 0, lines: quotableLines(lines, comments, mail.id) }]);
		conversation.note(mail, comments);
		found.push(...comments);
		yield;
	}
	return found;
}

function elsewhere(comment: ReviewComment): ReviewComment {
	return { ...comment, place: { kind: 'elsewhere' } };
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
	const comments = replyComments(
		mail,
		{ lines, matches, index, whole, parts, answered: conversation.answered(mail) },
		names,
	);
	const rest = reading.mail.body.slice(farthest).trim();
	return { comments: rest === '' ? comments : [...comments, restOf(mail, comments.length, rest, whole)], lines };
}

/** The unparsed rest of a long mail as one comment. */
function restOf(mail: SeriesMail, index: number, prose: string, { place, answers }: Placing): ReviewComment {
	return { mail, index, prose, lastLine: Infinity, quote: [], place, answers, isCourtesy: false };
}

/** A patch outside the series: comments on it must not match similar lines of the series. */
function otherPatch({ id, reading }: SeriesMail): readonly SourceSection[] {
	const text = reading.kind === 'read' ? reading.mail.body : '';
	return [{ part: 0, lines: text.split('\n').map((line) => ({ text: line, origin: { kind: 'aside', mailId: id } })) }];
}

/** The quotable parts of a reply: its own text and surrounding lines. Its quotations belong to other mails. */
function quotableLines(
	lines: readonly ReplyLine[],
	comments: readonly ReviewComment[],
	mailId: number,
): readonly SourceLine[] {
	const asides = lines.flatMap((line): readonly SourceLine[] =>
		line.kind === 'aside' ? [{ text: line.text, origin: { kind: 'aside', mailId } }] : [],
	);
	const said = comments.flatMap((comment) =>
		comment.prose.split('\n').map((text): SourceLine => ({ text, origin: { kind: 'comment', mailId, comment } })),
	);
	return [...asides, ...said];
}

/** Reply structure of the thread. */
class Conversation {
	/** Oldest first, without duplicates. */
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
		this.#begunMs = Math.min(...own.map(({ createdMs }) => createdMs));
		this.parts = new Set(own.map(({ id }) => id));
		this.#byId = new Map(all.map((mail) => [mail.id, mail]));
		this.mails = Array.from(this.#byId.values()).toSorted(arrivalOrder);
		this.#parentOf = parentsIn(this.mails);
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
		return { place: this.#general(mail), answers: only };
	}

	#general(mail: SeriesMail): CommentPlace {
		const { cover, patches } = this.#series;
		const indexes = this.#patchesOf(mail);
		const [first] = indexes;
		if (first === undefined) {
			return { kind: 'elsewhere' };
		}
		const patch = indexes.length === 1 ? patches.find(({ index }) => index === first) : undefined;
		return { kind: 'general', mailId: patch?.mail.id ?? cover?.id };
	}
}
