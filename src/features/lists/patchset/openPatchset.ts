import * as vscode from 'vscode';
import { isAbort } from '../../../base/abort.ts';
import { Disposables, type Disposable } from '../../../base/lifecycle.ts';
import { agoText, readBeforeText } from '../../../editor/ask/readBefore.ts';
import { livePage, type LivePage } from '../../../editor/pages/livePage.ts';
import type { PageLink } from '../../../editor/pages/pageHost.ts';
import { pageLooks } from '../../../editor/pages/pageLooks.ts';
import type { ListRef, PatchsetRef } from '../../../forge/port/list.ts';
import { refText } from '../../../forge/port/namedRef.ts';
import {
	patchsetParts,
	type PatchsetPageStart,
	type PatchsetPart,
	type PatchsetProtocol,
} from '../../../pages/protocol/patchsetProtocol.ts';
import { patchsetStrings } from '../../../pages/protocol/patchsetStrings.ts';
import type { PatchsetChange } from '../../../pages/protocol/patchsetView.ts';
import type { Connection } from '../../../store/connection.ts';
import type { ListStoreChange } from '../../../store/lists/listChange.ts';
import type { PatchsetReview } from '../../../store/lists/review/patchsetReview.ts';
import type { ListsParts } from '../parts/listsParts.ts';
import { lastReviewed } from '../review/lastReviewed.ts';
import type { PatchsetSubject } from '../subjects/subjects.ts';
import { tabTitle } from './headView.ts';
import { PatchsetPublisher, type PatchsetKnown } from './patchsetPublisher.ts';
import { toolHtml } from './toolViews.ts';

/** An open patchset page. Loads each part independently and sends every change. */
export class OpenPatchset {
	readonly #parts: ListsParts;
	readonly #subject: PatchsetSubject;
	readonly #link: PageLink<PatchsetProtocol>;
	readonly #publisher: PatchsetPublisher;
	readonly #failures = new Map<PatchsetPart, string>();
	/** Last earlier version with a reply by the reader; set after the search. */
	#reviewedId: number | undefined;
	/** Parts with a running load. */
	readonly #reading = new Set<PatchsetPart>();
	readonly #live: LivePage<PatchsetChange>;
	readonly #looks = pageLooks();

	constructor(parts: ListsParts, subject: PatchsetSubject, link: PageLink<PatchsetProtocol>) {
		this.#parts = parts;
		this.#subject = subject;
		this.#link = link;
		this.#publisher = new PatchsetPublisher(
			parts,
			toolHtml(parts, () => this.changed()),
		);
		this.#live = livePage<PatchsetChange>({
			parts,
			subject,
			link,
			watch: (connection) => this.#watch(connection),
			arrived: (connection) => this.#arrived(connection),
			begin: () => this.#publisher.begin(),
			next: () => this.#publisher.next(this.#known()),
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
			parts.draftCounts.onDidChange(({ connectionKey, ref }) => {
				if (connectionKey === subject.connectionKey && isSamePatchset(ref, subject.ref)) {
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
			change: this.#publisher.first(this.#known()),
		};
	}

	/** First message to an empty page. */
	load(): PatchsetChange {
		this.#publisher.reset();
		this.#readForgotten();
		void this.#live.publishing.listen();
		return this.#publisher.first(this.#known());
	}

	/** Loads a part. Never throws; an error appears in place of the part. */
	async read(part: PatchsetPart): Promise<void> {
		const reader = this.#live.followed();
		this.#reading.add(part);
		try {
			await this.#readNow(part);
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
				this.#failures.set(part, this.#failureText(part, error));
			}
		} finally {
			this.#reading.delete(part);
		}
		this.changed();
	}

	/** Error of a part, or the age of a part from another window's cache. */
	#failureText(part: PatchsetPart, error: unknown): string {
		const before = part === 'head' ? this.#live.followed()?.lists.patchsetBefore(this.#ref) : undefined;
		return before
			? readBeforeText(error, agoText(before.readAtMs, this.#parts.clock.nowMs(), 'long'))
			: this.#live.explain(error);
	}

	/** Reloads a part. If everything failed, the page shows one error, so reload everything. */
	async again(part: PatchsetPart): Promise<void> {
		const isAll = part === 'head' && this.#failures.has('standing');
		await Promise.all(isAll ? [this.read('head'), this.read('standing')] : [this.read(part)]);
	}

	async #readNow(part: PatchsetPart): Promise<void> {
		const { lists, reviews } = this.#live.connection();
		const { signal } = this.#link;
		// Of both parts first, so that they ask in one turn (docs/decisions/0028-questions-go-together.md).
		await lists.recall(this.#ref.list, 'patchset', this.#ref.id);
		if (part === 'head') {
			await lists.renewPatchset(this.#ref, signal);
		} else {
			void this.#findReviewed(await reviews.read(this.#ref, signal));
		}
	}

	/** Not awaited: the versions appear without it first. */
	async #findReviewed(review: PatchsetReview): Promise<void> {
		const reader = this.#live.connection();
		try {
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

	/** Reloads evicted parts; otherwise the page would wait for them forever. */
	#readForgotten(): void {
		const known: Readonly<Record<PatchsetPart, unknown>> = {
			head: this.#live.followed()?.lists.knownPatchset(this.#ref),
			standing: this.#live.followed()?.reviews.known(this.#ref),
		};
		for (const part of patchsetParts) {
			if (!known[part] && !this.#reading.has(part) && !this.#failures.has(part)) {
				void this.read(part);
			}
		}
	}

	/** Something may have changed. */
	changed(): void {
		const title = tabTitle(this.#ref, this.#known().connection?.lists.knownPatchset(this.#ref));
		this.#link.setTitle(title);
		void this.#live.changed();
	}

	get #ref(): PatchsetRef {
		return this.#subject.ref;
	}

	#known(): PatchsetKnown {
		return {
			connection: this.#live.known(),
			connectionKey: this.#subject.connectionKey,
			ref: this.#ref,
			failures: this.#failures,
			reviewedId: this.#reviewedId,
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
			this.#parts.finder.marks.lookAtPatchset(connection, this.#ref);
		}
	}

	/** Discard results of the previous account. */
	#arrived(connection: Connection): void {
		this.#live.follow(connection);
		this.#failures.clear();
		this.#reviewedId = undefined;
		this.#publisher.reset();
		void this.read('head');
		void this.read('standing');
		this.changed();
	}

	#watch({ lists, reviews, tickets, viewed }: Connection): Disposable {
		const owned = new Disposables();
		owned.add(lists.onDidChange((change) => this.#concerns(change) && this.changed()));
		owned.add(reviews.onDidChange((ref) => isSamePatchset(ref, this.#ref) && void this.read('standing')));
		owned.add(tickets.onDidChange(() => this.changed()));
		owned.add(
			viewed.onDidChange(() => {
				this.#publisher.marksChanged();
				this.changed();
			}),
		);
		return owned;
	}

	#concerns(change: ListStoreChange): boolean {
		switch (change.kind) {
			case 'patchset':
				return isSamePatchset(change.patchset, this.#ref);
			case 'patchsets':
			case 'list':
				return isSameList(change.list, this.#ref.list);
			case 'lists':
			case 'posts':
			case 'thread':
				return false;
		}
	}
}

function isSamePatchset(a: PatchsetRef, b: PatchsetRef): boolean {
	return a.id === b.id && isSameList(a.list, b.list);
}

function isSameList(a: ListRef, b: ListRef): boolean {
	return refText(a).toLowerCase() === refText(b).toLowerCase();
}
