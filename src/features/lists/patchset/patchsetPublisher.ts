import type { Clock } from '../../../base/clock.ts';
import { untilSliceEnds } from '../../../base/timeSlice.ts';
import { agoText, readBeforeText } from '../../../editor/ask/readBefore.ts';
import { unsentText } from '../../../editor/ask/extraFields.ts';
import type { WindowTrust } from '../../../editor/commands/trust.ts';
import type { TellingSlice } from '../../../editor/pages/pageTelling.ts';
import type { Patchset, PatchsetRef } from '../../../forge/list.ts';
import type { PatchsetPart } from '../../../protocol/patchsetProtocol.ts';
import type {
	PagePart,
	PatchesChange,
	PatchsetChange,
	PatchsetHeadView,
	PatchView,
	StandingView,
} from '../../../protocol/patchsetView.ts';
import type { Connection, Connections } from '../../../state/connection.ts';
import { isBeingRead, type ReadBefore } from '../../../state/shared/listing.ts';
import type { PatchsetReview } from '../../../state/lists/review/patchsetReview.ts';
import type { MarkdownContext } from '../../../text/markdown.ts';
import type { PatchsetChecks } from '../checks/patchsetChecks.ts';
import type { DraftCounts } from '../review/draftCounts.ts';
import { headView } from './headView.ts';
import { patchView } from './patchView.ts';
import { reviewText } from './reviewText.ts';
import { standingView } from './standingView.ts';
import type { ToolHtml } from './toolViews.ts';

/** What there is to be told of a patchset now. */
export interface PatchsetKnown {
	/** `undefined` once the account is signed out. */
	readonly connection: Connection | undefined;
	readonly connectionKey: string;
	readonly ref: PatchsetRef;
	/** Sentences, by the part that could not be read. */
	readonly failures: ReadonlyMap<PatchsetPart, string>;
	/** Number of the last version before this one that the reader replied to, where that is known. */
	readonly reviewedId: number | undefined;
}

/** What telling needs. */
export interface PublisherParts {
	readonly connections: Connections;
	readonly clock: Clock;
	readonly checks: Pick<PatchsetChecks, 'of'>;
	readonly trust: Pick<WindowTrust, 'isTrusted'>;
	readonly draftCounts: Pick<DraftCounts, 'of'>;
	/** Safe HTML of what a tool says; `undefined` while its renderer is not loaded. */
	readonly html: ToolHtml;
	/** A failure as a sentence. */
	readonly explain: (error: unknown) => string;
}

interface SaidPatch {
	/** `undefined` where something else may be different. */
	readonly standing: PatchsetReview | undefined;
	readonly text: string;
}

interface SaidPart {
	readonly text: string;
	readonly hasValue: boolean;
}

const unsaid: SaidPart = { text: '', hasValue: false };

/** The same as before when the part is no news. That what was shown has left the memory meanwhile is none either. */
function saidAfter(said: SaidPart, part: PagePart<unknown>): SaidPart {
	const hasValue = part.value !== undefined;
	const text = JSON.stringify(part);
	const isForgotten = said.hasValue && !hasValue && part.failure === undefined;
	return isForgotten || text === said.text ? said : { text, hasValue };
}

/** Tells a page what is different from what it was told before, in slices. */
export class PatchsetPublisher {
	readonly #parts: PublisherParts;
	#saidHead = unsaid;
	#saidStanding = unsaid;
	#saidReview: string | undefined;
	#saidPatches: SaidPatch[] = [];
	#saidCount = -1;
	#at = 0;
	#isBegun = false;

	constructor(parts: PublisherParts) {
		this.#parts = parts;
	}

	/** The page has forgotten everything. */
	reset(): void {
		this.#saidHead = unsaid;
		this.#saidStanding = unsaid;
		this.#saidReview = undefined;
		this.#saidPatches = [];
		this.#saidCount = -1;
	}

	/** What the reader marked in patches is different. */
	marksChanged(): void {
		this.#saidPatches = this.#saidPatches.map(({ text }) => ({ standing: undefined, text }));
	}

	/** All but the patches, for a page that knows nothing. */
	first(known: PatchsetKnown): PatchsetChange {
		return { head: headPart(known, this.#parts) };
	}

	/** Something may have changed since the slice before: the next one is the first of a row. */
	begin(): void {
		this.#isBegun = true;
		this.#at = 0;
	}

	next(known: PatchsetKnown): TellingSlice<PatchsetChange> {
		if (this.#isBegun) {
			this.#isBegun = false;
			return { change: this.#changedParts(known), goesOn: true };
		}
		return this.#patches(known);
	}

	#changedParts(known: PatchsetKnown): PatchsetChange | undefined {
		const head = headPart(known, this.#parts);
		const standing = standingPart(known, this.#parts);
		const [saidHead, saidStanding] = [saidAfter(this.#saidHead, head), saidAfter(this.#saidStanding, standing)];
		const review = reviewText(this.#parts.draftCounts, known);
		const change = {
			...(saidHead === this.#saidHead ? {} : { head }),
			...(saidStanding === this.#saidStanding ? {} : { standing }),
			...(review === this.#saidReview ? {} : { review }),
		};
		this.#saidHead = saidHead;
		this.#saidStanding = saidStanding;
		this.#saidReview = review;
		return Object.keys(change).length === 0 ? undefined : change;
	}

	#patches({ connection, ref }: PatchsetKnown): TellingSlice<PatchsetChange> {
		const standing = connection?.reviews.known(ref);
		if (!connection || !standing) {
			return { change: undefined, goesOn: false };
		}
		// The patch that is under way then may take as long again, and more.
		const isTimeUp = untilSliceEnds(this.#parts.clock);
		const { patches } = standing.series;
		const put: PatchesChange['put'][number][] = [];
		while (this.#at < patches.length && (put.length === 0 || !isTimeUp())) {
			const patch = this.#changedPatch(connection, standing, this.#at);
			if (patch) {
				put.push({ at: this.#at, patch });
			}
			this.#at += 1;
		}
		const isOther = put.length > 0 || this.#saidCount !== patches.length;
		this.#saidCount = patches.length;
		this.#saidPatches.length = Math.min(this.#saidPatches.length, patches.length);
		return {
			change: isOther ? { patches: { count: patches.length, put } } : undefined,
			goesOn: this.#at < patches.length,
		};
	}

	/** `undefined` when the page knows it so. */
	#changedPatch(connection: Connection, standing: PatchsetReview, at: number): PatchView | undefined {
		const series = standing.series.patches[at];
		const said = this.#saidPatches[at];
		if (!series || said?.standing === standing) {
			return undefined;
		}
		const view = patchView(connection, standing, series);
		const text = JSON.stringify(view);
		this.#saidPatches[at] = { standing, text };
		return text === said?.text ? undefined : view;
	}
}

function headPart(
	{ connection, ref, failures }: PatchsetKnown,
	{ checks, trust, html, clock }: Pick<PublisherParts, 'checks' | 'trust' | 'html' | 'clock'>,
): PagePart<PatchsetHeadView> {
	const patchset = connection?.lists.knownPatchset(ref);
	const value =
		connection && patchset
			? headView({
					ref,
					patchset,
					standing: connection.reviews.known(ref),
					seen: (connection.lists.knownPatchsets(ref.list)?.items ?? []).map(({ status }) => status),
					me: connection.me,
					check: checks.of(connection.key, ref),
					canApply: trust.isTrusted(),
					mine: connection.lists.knownList(ref.list)?.permissions?.mine,
					html: (details) => html(details, markdownContext(connection, ref)),
				})
			: undefined;
	const before = connection?.lists.patchsetBefore(ref);
	return { value, failure: failures.get('head') ?? refreshingText(before, clock.nowMs()) ?? unsentOf(patchset) };
}

function unsentOf(patchset: Patchset | undefined): string | undefined {
	const text = unsentText([patchset, patchset?.coverLetter].filter((each) => each !== undefined));
	return text === '' ? undefined : text;
}

/** Of when the head is while the forge is being asked for it. */
function refreshingText(before: ReadBefore | undefined, nowMs: number): string | undefined {
	return before && isBeingRead(before) ? readBeforeText(undefined, agoText(before.readAtMs, nowMs, 'long')) : undefined;
}

/** Where what tools say stands: links without a host lead to the lists of the forge. */
function markdownContext({ instance: { areas } }: Connection, { list }: PatchsetRef): MarkdownContext {
	return { base: `${areas.lists}/`, todo: areas.todo, tracker: { owner: list.owner, name: '' } };
}

function standingPart(
	{ connection, ref, failures, reviewedId }: PatchsetKnown,
	{ connections, clock, explain }: PublisherParts,
): PagePart<StandingView> {
	const standing = connection?.reviews.known(ref);
	const failure = failures.get('standing');
	const parts = connection && { connection, connections, explain, nowMs: clock.nowMs(), reviewedId };
	const value = parts && standing ? standingView(parts, standing) : undefined;
	return {
		value: value && { ...value, failures: value.failures.filter((each) => each !== failures.get('head')) },
		// What keeps all of it from being read is said once.
		failure: failure !== undefined && failure === failures.get('head') ? '' : failure,
	};
}
