import * as vscode from 'vscode';
import { isAbort } from '../../base/abort.ts';
import { isForgeError } from '../../forge/forgeError.ts';
import { ticketRefText, type Ticket, type TicketChanges, type TicketRef } from '../../forge/ticket.ts';
import { connectionOf } from '../../editor/subjects.ts';
import type { PageContent, PageLink } from '../../editor/pageHost.ts';
import { handler, type Handlers } from '../../protocol/channel.ts';
import {
	clickedHref,
	draftView,
	nothing,
	ticketPageSend,
	typedText,
	type TicketPageSend,
	type TicketPageStart,
	type TicketPageState,
	type TicketProtocol,
} from '../../protocol/ticketProtocol.ts';
import type { Connection } from '../../state/connection.ts';
import type { MarkdownRenderer } from '../../text/markdown.ts';
import { markdownWords, pageStrings, resolutionChoices } from './pageStrings.ts';
import { pageState, tabTitle } from './pageState.ts';
import { noRefusals, type Refusals } from './permissions.ts';
import type { TicketSubject } from './subjects.ts';
import type { TicketsParts } from './ticketsParts.ts';
import { ticketWebLink } from './webLink.ts';
import { offeredResolution } from './words.ts';

/** What the page does that leads away from it. */
export interface PageDoings {
	/** Opens a link that was clicked, if the link policy allows it. */
	readonly follow: (href: string, from: TicketSubject, signal: AbortSignal) => Promise<void>;
	/** Lets a write go on after its page was closed: it may already have arrived. */
	readonly writing: AbortSignal;
	/** True when the page is opened to write a comment. */
	readonly focusComposer: boolean;
}

type Page = PageLink<TicketProtocol>;

/** The ticket page of one ticket. */
export function ticketPage(
	parts: TicketsParts,
	subject: TicketSubject,
	doings: PageDoings,
): PageContent<TicketProtocol> {
	const known = parts.connections.byKey(subject.connectionKey)?.tickets.knownTicket(subject.ref);
	return {
		type: 'forge.ticket',
		key: `${subject.connectionKey} ${ticketRefText(subject.ref)}`,
		title: tabTitle(subject.ref, known?.title),
		icon: 'issues',
		subject,
		script: 'ticket.js',
		styles: ['page.css', 'ticketPage.css'],
		connect: (page) => new TicketPage(parts, { subject, page, doings }).handlers(),
	};
}

/** One open page: reads what it shows, redraws it on every change, and sends what is written on it. */
class TicketPage {
	readonly #parts: TicketsParts;
	readonly #subject: TicketSubject;
	readonly #page: Page;
	readonly #doings: PageDoings;
	#renderer: MarkdownRenderer | undefined;
	#refusals: Refusals = noRefusals;
	#timelineFailure: string | undefined;
	#isSending = false;
	#watched: Connection | undefined;
	#redraw = false;
	#focusComposer: boolean;

	constructor(
		parts: TicketsParts,
		{ subject, page, doings }: { readonly subject: TicketSubject; readonly page: Page; readonly doings: PageDoings },
	) {
		this.#parts = parts;
		this.#subject = subject;
		this.#page = page;
		this.#doings = doings;
		this.#focusComposer = doings.focusComposer;
	}

	handlers(): Handlers<TicketProtocol> {
		this.#page.owned.add(this.#parts.connections.onDidChange(() => this.#accountChanged()));
		const { signal } = this.#page;
		return {
			load: handler(nothing, () => this.#start()),
			again: handler(nothing, () => this.#load()),
			older: handler(nothing, async () => {
				await this.#connection().tickets.moreEvents(this.#ref, signal);
				return this.#state();
			}),
			send: handler(ticketPageSend, (send) => this.#send(send)),
			keepDraft: handler(draftView, async (draft) => {
				await this.#parts.drafts.keep(this.#draftKey, draft);
				return undefined;
			}),
			preview: handler(typedText, async (text) => {
				const base = ticketWebLink(this.#connection().instance, this.#ref);
				return (await this.#renderedBy()).render(text, { base, tracker: this.#ref.tracker });
			}),
			follow: handler(clickedHref, async (href) => {
				await this.#doings.follow(href, this.#subject, signal);
				return undefined;
			}),
			copyReference: handler(nothing, async () => {
				await vscode.env.clipboard.writeText(ticketRefText(this.#ref));
				return undefined;
			}),
			openOnWeb: handler(nothing, async () => {
				const link = ticketWebLink(this.#connection().instance, this.#ref);
				await vscode.env.openExternal(vscode.Uri.parse(link, true));
				return undefined;
			}),
		};
	}

	get #ref(): TicketRef {
		return this.#subject.ref;
	}

	get #draftKey(): string {
		return `${this.#subject.connectionKey} ${ticketRefText(this.#ref)}`;
	}

	#connection(): Connection {
		return connectionOf(this.#parts.connections, this.#subject);
	}

	/** Never refuses: the page needs its words above all to say what failed. */
	async #start(): Promise<TicketPageStart> {
		const words = {
			locale: vscode.env.language,
			strings: pageStrings(),
			resolutions: resolutionChoices(),
			draft: this.#parts.drafts.draft(this.#draftKey),
		};
		const focusComposer = this.#focusComposer;
		this.#focusComposer = false;
		try {
			return { ...words, state: await this.#load(), failure: undefined, focusComposer };
		} catch (error) {
			this.#parts.problems.log(error);
			return { ...words, state: undefined, failure: this.#parts.problems.explain(error).message, focusComposer };
		}
	}

	/** Readable after one request: the timeline and the labels' colours come when they come. */
	async #load(): Promise<TicketPageState> {
		const connection = this.#connection();
		this.#watch(connection);
		const { tickets } = connection;
		const { signal } = this.#page;
		this.#timelineFailure = undefined;
		const wasKnown = tickets.knownTicket(this.#ref) !== undefined;
		const reading = wasKnown ? Promise.resolve() : tickets.renewTicket(this.#ref, signal);
		await Promise.all([reading, this.#renderedBy()]);
		this.#page.setTitle(tabTitle(this.#ref, tickets.knownTicket(this.#ref)?.title));
		if (wasKnown) {
			this.#quietly(tickets.renewTicket(this.#ref, signal));
		}
		this.#readTimeline(connection);
		this.#quietly(tickets.labels(this.#ref.tracker, signal));
		this.#quietly(tickets.tracker(this.#ref.tracker, signal));
		return this.#state();
	}

	/** An account may come after its page, when the window starts, and may be replaced while the page is open. */
	#accountChanged(): void {
		const connection = this.#parts.connections.byKey(this.#subject.connectionKey);
		if (!connection && this.#watched) {
			// Signed out: what the page shows was read with that account's token. A draft is kept for the next time.
			this.#page.close();
			return;
		}
		if (!connection || connection === this.#watched) {
			return;
		}
		if (this.#watched) {
			this.#quietly(this.#load());
		} else {
			this.#page.tell('reload', undefined);
		}
	}

	#readTimeline({ tickets }: Connection): void {
		const { signal } = this.#page;
		const wasKnown = tickets.knownEvents(this.#ref) !== undefined;
		const reading = wasKnown ? tickets.renewEvents(this.#ref, signal) : tickets.events(this.#ref, signal);
		reading.then(
			() => this.#changed(),
			(error: unknown) => {
				if (!isAbort(error)) {
					this.#parts.problems.log(error);
					this.#timelineFailure = this.#parts.problems.explain(error).message;
					this.#changed();
				}
			},
		);
	}

	/** Reads something that the page can do without. */
	#quietly(reading: Promise<unknown>): void {
		reading.then(
			() => this.#changed(),
			(error: unknown) => this.#parts.problems.log(error),
		);
	}

	#watch(connection: Connection): void {
		if (this.#watched === connection) {
			return;
		}
		this.#watched = connection;
		this.#page.owned.add(
			connection.tickets.onDidChange((change) => {
				if (change.kind === 'ticket' && ticketRefText(change.ticket) === ticketRefText(this.#ref)) {
					this.#changed();
				}
			}),
		);
	}

	/** Tells the page once for all changes of a moment. */
	#changed(): void {
		if (this.#redraw || this.#page.signal.aborted) {
			return;
		}
		this.#redraw = true;
		queueMicrotask(() => {
			this.#redraw = false;
			const ticket = this.#parts.connections.byKey(this.#subject.connectionKey)?.tickets.knownTicket(this.#ref);
			if (ticket && this.#renderer && !this.#page.signal.aborted) {
				this.#page.tell('changed', this.#state());
			}
		});
	}

	#state(): TicketPageState {
		const connection = this.#connection();
		const ticket = connection.tickets.knownTicket(this.#ref);
		if (!ticket || !this.#renderer) {
			throw new Error('The page was asked for before its ticket was read');
		}
		return pageState({
			connection,
			ref: this.#ref,
			ticket,
			renderer: this.#renderer,
			refusals: this.#refusals,
			timelineFailure: this.#timelineFailure,
		});
	}

	async #renderedBy(): Promise<MarkdownRenderer> {
		if (!this.#renderer) {
			const chunk = await this.#parts.render();
			this.#renderer ??= remembering(chunk.markdownRenderer(markdownWords()));
		}
		return this.#renderer;
	}

	/** Sends once. After a failure the ticket is read again, because a refused request may have changed it all the same. */
	async #send(send: TicketPageSend): Promise<TicketPageState> {
		const changes = changesOf(send);
		if (this.#isSending || Object.keys(changes).length === 0) {
			return this.#state();
		}
		this.#isSending = true;
		try {
			await this.#connection().tickets.update(this.#ref, changes, this.#doings.writing);
			return this.#state();
		} catch (error) {
			this.#learn(error, changes);
			throw error;
		} finally {
			this.#isSending = false;
		}
	}

	#learn(error: unknown, changes: TicketChanges): void {
		if (isForgeError(error) && error.problem.kind === 'notAllowed') {
			// Only a request with one wish tells for certain which wish was refused.
			this.#refusals = {
				comment: this.#refusals.comment || changes.status === undefined,
				triage: this.#refusals.triage || changes.comment === undefined,
			};
		}
		const { tickets } = this.#connection();
		this.#quietly(tickets.renewTicket(this.#ref, this.#page.signal));
		if (tickets.knownEvents(this.#ref)) {
			this.#quietly(tickets.renewEvents(this.#ref, this.#page.signal));
		}
	}
}

/** What is asked of the forge; a resolution that nobody offered is no wish. */
function changesOf({ comment, move }: TicketPageSend): TicketChanges {
	const text = comment.trim() === '' ? {} : { comment };
	switch (move?.kind) {
		case 'resolve': {
			const resolution = offeredResolution(move.resolution);
			return resolution ? { ...text, status: 'resolved', resolution } : {};
		}
		case 'reopen':
			return { ...text, status: 'reported' };
		case undefined:
			return text;
	}
}

/** A page redraws often and its texts rarely change. */
function remembering(renderer: MarkdownRenderer): MarkdownRenderer {
	const rendered = new Map<string, string>();
	return {
		render(text, context) {
			const html = rendered.get(text) ?? renderer.render(text, context);
			rendered.set(text, html);
			return html;
		},
	};
}

/** True for a ticket that resolving makes sense for. */
export function isOpen(ticket: Ticket): boolean {
	return ticket.status !== 'resolved';
}
