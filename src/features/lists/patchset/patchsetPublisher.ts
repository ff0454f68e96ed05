import * as vscode from 'vscode';
import { untilSliceEnds } from '../../../base/timeSlice.ts';
import { unsentText } from '../../../editor/ask/extraFields.ts';
import { agoText, readBeforeText } from '../../../editor/ask/readBefore.ts';
import type { TellingSlice } from '../../../editor/pages/pageTelling.ts';
import type { Patchset, PatchsetRef } from '../../../forge/port/list.ts';
import type { PatchsetPart } from '../../../pages/protocol/patchsetProtocol.ts';
import type {
	PagePart,
	PatchesChange,
	PatchsetChange,
	PatchsetHeadView,
	PatchView,
	StandingView,
} from '../../../pages/protocol/patchsetView.ts';
import type { Connection } from '../../../store/connection.ts';
import type { PatchsetReview } from '../../../store/lists/review/patchsetReview.ts';
import { isBeingRead, type ReadBefore } from '../../../store/shared/listing.ts';
import type { MarkdownContext } from '../../../engine/text/markdown.ts';
import { type DraftCounts, draftCountTexts } from '../parts/draftCounts.ts';
import type { ListsParts } from '../parts/listsParts.ts';
import { headView } from './headView.ts';
import { patchView } from './patchView.ts';
import { standingView } from './standingView.ts';
import type { ToolHtml } from './toolViews.ts';

/** Current state of a patchset page. */
export interface PatchsetKnown {
	/** `undefined` after sign-out. */
	readonly connection: Connection | undefined;
	readonly connectionKey: string;
	readonly ref: PatchsetRef;
	/** Error sentences by page part. */
	readonly failures: ReadonlyMap<PatchsetPart, string>;
	/** Id of the last earlier version that the reader reviewed, if known. */
	readonly reviewedId: number | undefined;
}

interface SaidPatch {
	/** `undefined` forces a new comparison. */
	readonly standing: PatchsetReview | undefined;
	readonly text: string;
}

interface SaidPart {
	readonly text: string;
	readonly hasValue: boolean;
}

const unsaid: SaidPart = { text: '', hasValue: false };

/** Returns `said` if the part has no news. A value that only left the cache is no news. */
function saidAfter(said: SaidPart, part: PagePart<unknown>): SaidPart {
	const hasValue = part.value !== undefined;
	const text = JSON.stringify(part);
	const isForgotten = said.hasValue && !hasValue && part.failure === undefined;
	return isForgotten || text === said.text ? said : { text, hasValue };
}

/** Sends a page the changes since its last update, in slices. */
export class PatchsetPublisher {
	readonly #parts: ListsParts;
	readonly #html: ToolHtml;
	#saidHead = unsaid;
	#saidStanding = unsaid;
	#saidReview: string | undefined;
	#saidPatches: SaidPatch[] = [];
	#saidCount = -1;
	#at = 0;
	#isBegun = false;

	constructor(parts: ListsParts, html: ToolHtml) {
		this.#parts = parts;
		this.#html = html;
	}

	/** Call when the page lost its state. */
	reset(): void {
		this.#saidHead = unsaid;
		this.#saidStanding = unsaid;
		this.#saidReview = undefined;
		this.#saidPatches = [];
		this.#saidCount = -1;
	}

	/** Call after the reader's marks in patches changed. */
	marksChanged(): void {
		this.#saidPatches = this.#saidPatches.map(({ text }) => ({ standing: undefined, text }));
	}

	/** The head, for a new page. */
	first(known: PatchsetKnown): PatchsetChange {
		return { head: headPart(known, this.#parts, this.#html) };
	}

	/** Starts a new pass: any part may have changed. */
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
		const head = headPart(known, this.#parts, this.#html);
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
		// The last patch of a slice may overrun it.
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

	/** `undefined` if the page is up to date. */
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
	{ checks, trust, clock }: ListsParts,
	html: ToolHtml,
): PagePart<PatchsetHeadView> {
	const patchset = connection?.lists.knownPatchset(ref);
	const value =
		connection && patchset
			? headView({
					ref,
					patchset,
					standing: connection.reviews.known(ref),
					seen: (connection.lists.patchsets(ref.list).known()?.items ?? []).map(({ status }) => status),
					me: connection.me,
					check: checks.of(connection.key, ref),
					canApply: trust.isTrusted(),
					mine: connection.lists.shelf.known(ref.list)?.permissions?.mine,
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

/** Age of the head while the forge loads a newer one. */
function refreshingText(before: ReadBefore | undefined, nowMs: number): string | undefined {
	return before && isBeingRead(before) ? readBeforeText(undefined, agoText(before.readAtMs, nowMs, 'long')) : undefined;
}

/** Context of tool messages: links without a host lead to the lists of the forge. */
function markdownContext({ instance: { areas } }: Connection, { list }: PatchsetRef): MarkdownContext {
	return { base: `${areas.lists}/`, todo: areas.todo, tracker: { owner: list.owner, name: '' } };
}

function standingPart(
	{ connection, ref, failures, reviewedId }: PatchsetKnown,
	parts: ListsParts,
): PagePart<StandingView> {
	const standing = connection?.reviews.known(ref);
	const failure = failures.get('standing');
	const value = connection && standing ? standingView(parts, connection, standing, reviewedId) : undefined;
	return {
		value: value && { ...value, failures: value.failures.filter((each) => each !== failures.get('head')) },
		// An error of the whole page appears only once.
		failure: failure !== undefined && failure === failures.get('head') ? '' : failure,
	};
}

/** Unsent parts of a review as a sentence; empty if there are none. */
function reviewText(counts: DraftCounts, { connectionKey, ref }: PatchsetKnown): string {
	const texts = draftCountTexts(counts.of({ connectionKey, ref }));
	return texts.length === 0 ? '' : vscode.l10n.t('Your review is not sent: {0}.', texts.join(', '));
}
