import * as vscode from 'vscode';
import { isAbort } from '@forge-desk/base/abort.ts';
import { untilSliceEnds } from '@forge-desk/base/timeSlice.ts';
import { Disposables, type Disposable } from '@forge-desk/base/lifecycle.ts';
import { agoText, readBeforeText } from '../../../editor/ask/readBefore.ts';
import { livePage, pagePieces, pageLooks, type LivePage, type TellingSlice } from '../../../editor/pages/livePage.ts';
import type { PageLink } from '../../../editor/pages/pageHost.ts';
import type { PatchsetRef } from 'sourcehut/port/list.ts';
import {
	patchsetParts,
	patchsetStrings,
	type PatchsetPageStart,
	type PatchsetPart,
	type PatchsetProtocol,
	type PagePart,
	type PatchesChange,
	type PatchsetChange,
	type PatchsetHeadView,
	type StandingView,
} from '../../../pages/protocol/patchsetProtocol.ts';
import type { ReplyView } from '../../../pages/protocol/mailsProtocol.ts';
import type { Connection } from '../../../store/connection.ts';
import type { PatchsetReview } from '../../../store/lists/patchsets/patchsetReview.ts';
import { quotedMessageId } from '../../lists/subjects/webLink.ts';
import type { ListsContext } from '../../lists/context/listsContext.ts';
import type { RepliesReview } from '../../lists/reviewState/patchsetReviews.ts';
import { provenInOpenClone } from '../../patches/apply/secondAddresses.ts';
import { lastReviewed } from '../comments/lastReviewed.ts';
import { originOf } from 'sourcehut/port/instance.ts';
import { webOf } from '../../../editor/links/webOf.ts';
import { present, type PatchsetSubject } from '../../lists/subjects/subjects.ts';
import { conversation } from './conversation.ts';
import { appliedRecords } from './eventViews.ts';
import { headNotice, headView, tabTitle } from './headView.ts';
import { ownReview } from './ownReview.ts';
import { patchView } from './patchView.ts';
import { seriesComment } from './seriesComment.ts';
import { patchSignatures } from './signatures.ts';
import { standingView } from './standingView.ts';
import { isSameList, isSamePatchset } from './samePatchset.ts';
import { toolHtml } from './toolHtml.ts';

/** An open patchset page. Loads each part independently and sends every change. */
export class OpenPatchset {
	readonly #parts: ListsContext;
	readonly #subject: PatchsetSubject;
	readonly #link: PageLink<PatchsetProtocol>;
	readonly #html: ReturnType<typeof toolHtml>;
	/** Sent parts of the page; patches by index. */
	readonly #pieces = pagePieces();
	/** Next patch of the running pass; `undefined` before the other parts. */
	#at: number | undefined;
	/** All patches of the running pass are sent; the conversation follows. */
	#arePatchesSent = false;
	/** Its comments, placed by the replies of `mails`. */
	#comments: { readonly mails: PatchsetReview['mails']; readonly review: RepliesReview } | undefined;
	readonly #appliedHere: ReturnType<typeof appliedRecords>;
	readonly comment: ReturnType<typeof seriesComment>;
	readonly own: ReturnType<typeof ownReview>;
	readonly #talk: ReturnType<typeof conversation>;
	readonly #signatures: ReturnType<typeof patchSignatures>;
	readonly #replies: (mails: ReadonlySet<number>) => readonly ReplyView[];
	/** Review whose patches the page has. */
	#sent: PatchsetReview | undefined;
	/** Review of the running pass, unless the page or a mark needs another pass since its start. */
	#passing: PatchsetReview | undefined;
	readonly #failures = new Map<PatchsetPart, string>();
	/** Last earlier version with a reply by the reader; set after the search. */
	#reviewedId: number | undefined;
	/** Parts with a running load. */
	readonly #reading = new Set<PatchsetPart>();
	readonly #live: LivePage<PatchsetChange>;
	readonly #looks = pageLooks();

	/** `replies`: drafts of replies to these mails. */
	constructor(
		parts: ListsContext,
		given: PatchsetSubject,
		link: PageLink<PatchsetProtocol>,
		replies: (mails: ReadonlySet<number>) => readonly ReplyView[],
	) {
		const subject = present(parts.connections, given);
		this.#replies = replies;
		this.#appliedHere = appliedRecords(parts, subject);
		this.comment = seriesComment(parts, subject);
		this.own = ownReview(parts, subject, link, () => this.changed());
		this.#talk = conversation(parts.clock, parts.connections);
		this.#signatures = patchSignatures(parts, link, () => this.changed());
		this.#parts = parts;
		this.#subject = subject;
		this.#link = link;
		this.#html = toolHtml(parts, () => this.changed());
		this.#live = livePage<PatchsetChange>({
			parts,
			subject,
			link,
			watch: (connection) => this.#watch(connection),
			arrived: (connection) => {
				// Results of the previous account.
				this.#live.follow(connection);
				this.#failures.clear();
				this.#reviewedId = undefined;
				this.#reset();
				this.#talk.restart();
				void this.read('head');
				void this.read('standing');
				this.changed();
			},
			begin: () => {
				this.#at = undefined;
				this.#arePatchesSent = false;
				this.#talk.begin();
			},
			next: () => this.#next(),
			readMark: { shown: () => this.#looks.shown(), look: () => this.#look() },
		});
		// A pull request's repository becomes a link with any account on its forge.
		link.owned.add(parts.connections.onDidChange(() => this.#live.known() && this.changed()));
		link.owned.add(
			parts.checks.onDidChange(({ ref }) => {
				if (isSamePatchset(ref, subject.ref)) {
					this.changed();
				}
			}),
		);
		link.owned.add(parts.trust.onDidGrant(() => this.changed()));
		link.owned.add(
			parts.drafts.onDidChange((about) => {
				const isReview = about.kind === 'review' && about.connectionKey === subject.connectionKey;
				if (isReview && isSamePatchset(about.ref, subject.ref)) {
					this.changed();
				}
			}),
		);
		const connection = this.#live.known();
		if (connection) {
			this.#live.follow(connection);
		}
	}

	/** Starts loading and returns known data. */
	open(): PatchsetPageStart {
		void this.read('head');
		void this.read('standing');
		return {
			locale: vscode.env.language,
			strings: patchsetStrings(vscode.l10n),
			change: { head: this.#head() },
		};
	}

	/** First message to an empty page. */
	load(): PatchsetChange {
		this.#reset();
		// Evicted parts too: the page would wait for them forever.
		const known: Readonly<Record<PatchsetPart, unknown>> = {
			head: this.#live.followed()?.lists.knownPatchset(this.#ref),
			standing: this.#live.followed()?.reviews.known(this.#ref),
		};
		for (const part of patchsetParts) {
			if (!known[part] && !this.#reading.has(part) && !this.#failures.has(part)) {
				void this.read(part);
			}
		}
		void this.#live.listen();
		return { head: this.#head() };
	}

	/** Loads a part. Never throws; an error appears in place of the part. */
	async read(part: PatchsetPart): Promise<void> {
		const reader = this.#live.followed();
		this.#reading.add(part);
		try {
			const { lists, reviews } = this.#live.connection();
			const { signal } = this.#link;
			// Of both parts first, so that they ask in one turn (docs/decisions/0028-questions-go-together.md).
			await lists.recall(this.#ref.list, 'patchset', this.#ref.id);
			if (part === 'head') {
				await lists.renewPatchset(this.#ref, signal);
			} else {
				const review = await reviews.read(this.#ref, signal);
				void this.#findEarlier(review);
				void this.own.find(this.#live.connection(), review);
				void this.#placeComments(review);
			}
			if (reader === this.#live.followed()) {
				this.#failures.delete(part);
			}
		} catch (error) {
			if (isAbort(error)) {
				return;
			}
			this.#live.log(error);
			// Ignore errors of a replaced account.
			if (reader === this.#live.followed()) {
				const before = part === 'head' ? this.#live.followed()?.lists.patchsetBefore(this.#ref) : undefined;
				const text = before
					? readBeforeText(error, agoText(before.readAtMs, this.#parts.clock.nowMs(), 'long'))
					: this.#live.explain(error);
				this.#failures.set(part, text);
			}
		} finally {
			this.#reading.delete(part);
		}
		this.changed();
	}

	/** Reloads a part. If everything failed, the page shows one error, so reload everything. */
	async again(part: PatchsetPart): Promise<void> {
		const isAll = part === 'head' && this.#failures.has('standing');
		await Promise.all(isAll ? [this.read('head'), this.read('standing')] : [this.read(part)]);
	}

	/** Not awaited, like the next one. */
	async #placeComments(review: PatchsetReview): Promise<void> {
		const { mails } = review;
		if (this.#comments?.mails === mails) {
			return;
		}
		try {
			this.#comments = { mails, review: await this.#parts.reviews.of(review, this.#link.signal) };
			this.#sent = undefined;
			this.#passing = undefined;
			this.changed();
		} catch (error) {
			if (!isAbort(error)) {
				this.#live.log(error);
			}
		}
	}

	/** Trailers and the reader's own review of earlier versions. Not awaited: the page appears without them first. */
	async #findEarlier(review: PatchsetReview): Promise<void> {
		const reader = this.#live.connection();
		try {
			const { signal } = this.#link;
			const withEarlier = await reader.reviews.readWithEarlier(this.#ref, signal);
			await provenInOpenClone(this.#parts, reader, withEarlier, signal);
			const found = await lastReviewed(this.#live.log, reader, review, this.#link.signal);
			if (reader === this.#live.followed() && found?.patchset.id !== this.#reviewedId) {
				this.#reviewedId = found?.patchset.id;
				this.changed();
			}
		} catch (error) {
			if (!isAbort(error)) {
				this.#live.log(error);
			}
		}
	}

	/** Something may have changed. */
	readonly changed = (): void => void this.published();

	/** As `changed`. Resolves when the page has it. */
	published(): Promise<void> {
		this.#link.setTitle(tabTitle(this.#ref, this.#live.known()?.lists.knownPatchset(this.#ref)));
		return this.#live.changed();
	}

	get #ref(): PatchsetRef {
		return this.#subject.ref;
	}

	/** The page has forgotten everything. */
	#reset(): void {
		this.#talk.reset();
		this.#pieces.forgetAll();
		this.#sent = undefined;
		this.#passing = undefined;
	}

	/** First the parts above, then the patches, then the conversation. */
	#next(): TellingSlice<PatchsetChange> {
		if (this.#at === undefined) {
			return this.#changedParts();
		}
		if (!this.#arePatchesSent) {
			const { change, goesOn } = this.#changedPatches(this.#at);
			this.#arePatchesSent = !goesOn;
			return { change, goesOn: true };
		}
		return this.#changedMails();
	}

	#changedMails(): TellingSlice<PatchsetChange> {
		const connection = this.#live.known();
		const standing = connection?.reviews.known(this.#ref);
		if (!connection || !standing) {
			return { change: undefined, goesOn: false };
		}
		const { change: mails, goesOn } = this.#talk.next(connection, standing);
		if (goesOn) {
			return { change: mails && { mails }, goesOn };
		}
		const now = this.#replies(new Set(standing.mails.map(({ id }) => id)));
		const isAny = now.length > 0 || this.#pieces.knows('replies');
		const replies = isAny ? this.#pieces.ifNew('replies', now) : undefined;
		const signed = this.#signatures(connection, standing);
		const signatures = signed && this.#pieces.ifNew('signatures', signed);
		return { change: mails || replies || signatures ? { mails, replies, signatures } : undefined, goesOn };
	}

	#changedParts(): TellingSlice<PatchsetChange> {
		this.#at = 0;
		const change = {
			head: this.#ifNews('head', this.#head()),
			standing: this.#ifNews('standing', this.#standing()),
			review: this.#pieces.ifNew('review', this.own.unsent()),
			comment: this.#pieces.ifNew('comment', this.comment.text()),
			own: this.#pieces.ifNew('own', this.own.view()),
		};
		return { change: Object.values(change).every((part) => part === undefined) ? undefined : change, goesOn: true };
	}

	/** A value that only left the cache is no news. */
	#ifNews<T>(name: PatchsetPart, part: PagePart<T>): PagePart<T> | undefined {
		const isForgotten = part.value === undefined && part.failure === undefined && this.#pieces.knows(name);
		return isForgotten ? undefined : this.#pieces.ifNew(name, part);
	}

	#changedPatches(from: number): TellingSlice<PatchsetChange> {
		const connection = this.#live.known();
		const standing = connection?.reviews.known(this.#ref);
		if (!connection || !standing || standing === this.#sent) {
			return { change: undefined, goesOn: false };
		}
		// The last patch of a slice may overrun it.
		const isTimeUp = untilSliceEnds(this.#parts.clock);
		if (from === 0) {
			this.#passing = standing;
		}
		const { patches } = standing.series;
		const put: PatchesChange['put'][number][] = [];
		let at = from;
		for (const series of patches.slice(from)) {
			const patch = this.#pieces.ifNew(`patch ${at}`, patchView(connection, standing, series, this.#comments?.review));
			put.push(...(patch ? [{ at, patch }] : []));
			at += 1;
			if (put.length > 0 && isTimeUp()) {
				break;
			}
		}
		for (let gone = patches.length; this.#pieces.forget(`patch ${gone}`);) {
			gone += 1;
		}
		this.#at = at;
		const goesOn = at < patches.length;
		this.#sent = goesOn || standing !== this.#passing ? undefined : standing;
		const isOther = this.#pieces.ifNew('count', patches.length) !== undefined || put.length > 0;
		return { change: isOther ? { patches: { count: patches.length, put } } : undefined, goesOn };
	}

	#head(): PagePart<PatchsetHeadView> {
		const { checks, trust, clock } = this.#parts;
		const ref = this.#ref;
		const connection = this.#live.known();
		const patchset = connection?.lists.knownPatchset(ref);
		const value =
			connection && patchset
				? headView({
						ref,
						patchset,
						messageId: quotedMessageId(connection, ref),
						standing: connection.reviews.known(ref),
						seen: connection.lists.knownPatchsets(ref.list).map(({ status }) => status),
						me: connection.me,
						check: checks.of(connection.key, ref),
						canApply: trust.isTrusted(),
						mine: connection.lists.collection.known(ref.list)?.permissions?.mine,
						html: (details) =>
							this.#html(details, {
								base: `${originOf(connection.instance, 'lists')}/`,
								web: webOf(connection.instance),
								tracker: { owner: ref.list.owner, name: '' },
							}),
					})
				: undefined;
		const notice = headNotice(connection?.lists.patchsetBefore(ref), patchset, clock);
		return { value, failure: this.#failures.get('head') ?? notice };
	}

	#standing(): PagePart<StandingView> {
		const connection = this.#live.known();
		const known = connection?.reviews.known(this.#ref);
		const failure = this.#failures.get('standing');
		const ofHead = this.#failures.get('head');
		// One reason hides both, and the head says it.
		const failures = known?.failures.filter(({ part }) => ofHead === undefined || part !== 'earlierReplies');
		const standing = known && failures && { ...known, failures };
		const value =
			connection && standing
				? standingView(this.#parts, connection, standing, this.#reviewedId, this.#appliedHere())
				: undefined;
		return {
			value: value && { ...value, failures: value.failures.filter((each) => each !== ofHead) },
			// An error of the whole page appears only once.
			failure: failure !== undefined && failure === ofHead ? '' : failure,
		};
	}

	/** Marks visible content as read. */
	#look(): void {
		const connection = this.#live.followed();
		const patchset = connection?.lists.knownPatchset(this.#ref);
		if (!connection || !patchset) {
			return;
		}
		const mails = connection.reviews.known(this.#ref)?.mails ?? [];
		const newest = mails.reduce((most, { id }) => Math.max(most, id), 0);
		if (this.#looks.counts(patchset.updatedMs, newest)) {
			this.#parts.finder.marks.lookAtPatchset(connection, this.#ref, newest === 0 ? undefined : newest);
		}
	}

	#watch({ lists, reviews, tickets, viewed }: Connection): Disposable {
		const owned = new Disposables();
		let { id } = this.#ref;
		owned.add(
			lists.onDidChange((change) => {
				if (id !== this.#ref.id) {
					({ id } = this.#ref);
					patchsetParts.forEach((part) => void this.read(part));
				}
				const isThis = change.kind === 'patchset' && isSamePatchset(change.patchset, this.#ref);
				const isOfList = change.kind === 'patchsets' || change.kind === 'list';
				if (isThis || (isOfList && isSameList(change.list, this.#ref.list))) {
					this.changed();
				}
			}),
		);
		owned.add(
			reviews.onDidChange((ref) => {
				// A reply to another version may count for this one.
				const known = reviews.known(this.#ref);
				const isOther = known?.versions.some(({ patchset }) => patchset.id === ref.id) === true;
				if (isSamePatchset(ref, this.#ref) || (isOther && isSameList(ref.list, this.#ref.list))) {
					void this.read('standing');
				}
			}),
		);
		owned.add(tickets.onDidChange(() => this.changed()));
		owned.add(this.#parts.appliedCommits.onDidChange(() => this.changed()));
		owned.add(
			viewed.onDidChange(() => {
				this.#sent = undefined;
				this.#passing = undefined;
				this.changed();
			}),
		);
		return owned;
	}
}
