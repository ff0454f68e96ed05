import * as vscode from 'vscode';
import type { Feature, CommandTable } from '../../editor/commands/feature.ts';
import { connectionOf } from '../../editor/commands/subjects.ts';
import type { GoToName, GoToThing } from '../../editor/links/goToThing.ts';
import type { LinkSource } from '../../editor/links/linkCommands.ts';
import { openLink } from '../../editor/links/openLink.ts';
import { followOwned, unfollowOwned } from '../../editor/owned/askOwned.ts';
import { pageRenderer } from '../../editor/pages/pageRenderer.ts';
import { restorePage, type RestorePage } from '../../editor/pages/pageHost.ts';
import type { NamedRef } from 'sourcehut/port/namedRef.ts';
import { ticketRefText } from 'sourcehut/port/ticket.ts';
import type { TicketProtocol } from '../../pages/protocol/ticketProtocol.ts';
import type { KnownThings } from '../../engine/search/rankThings.ts';
import type { Connection } from '../../store/connection.ts';
import type { BulkPart } from '../../store/shared/writeJournal.ts';
import { trackerKey } from '../../store/tickets/trackerRefs.ts';
import { filterCommands } from './find/filterCommands.ts';
import { knownTickets } from './find/knownTickets.ts';
import type { PageActions } from './page/openPage.ts';
import { ticketPage } from './page/ticketPage.ts';
import type { TicketsContext } from './context/ticketsContext.ts';
import {
	type CaretPlace,
	type OpenTicket,
	ticketSubject,
	type TicketSubject,
	eventOf,
	trackerSubject,
} from './subjects/subjects.ts';
import { isAny, ticketOf, trackerTarget } from './subjects/ticketTarget.ts';
import { trackerKind } from './subjects/trackerKind.ts';
import { webLink } from './subjects/webLink.ts';
import { nameOf } from './tree/ticketOrder.ts';
import { ticketTree, type TicketTree } from './tree/ticketTree.ts';
import { treeCommands } from './tree/treeCommands.ts';
import { resumeSubscriptions } from './triage/subscribeTickets.ts';
import { resumeAct, ticketTriage } from './triage/triage.ts';
import { triageCommands } from './triage/triageCommands.ts';
import { changeOf } from './triage/undo.ts';
import { webAddress } from '../../editor/links/webOf.ts';

/** The ticket view, commands and page. */
export interface TicketsFeature extends Feature {
	readonly tree: TicketTree;
	readonly restorePage: RestorePage;
	/** Reports an interrupted bulk action. */
	readonly resumeAct: (connection: Connection, parts: readonly BulkPart[]) => Promise<void>;
	readonly links: LinkSource;
	readonly known: KnownThings<GoToName, GoToThing>;
}

export function ticketsFeature(context: TicketsContext): TicketsFeature {
	const ending = new AbortController();
	const tree = ticketTree(context);

	function open(subject: TicketSubject, caret: CaretPlace, entry?: number): void {
		const focusComposer = caret === 'composer';
		const content = ticketPage(context, subject, { ...actions, focusComposer, editsText: caret === 'text' });
		const page = context.pages.open(content, entry);
		if (focusComposer) {
			page.tell('focusComposer', undefined);
		}
		if (caret === 'text') {
			page.tell('editText', undefined);
		}
	}

	const triage = ticketTriage(context, open, (subject, text) => {
		const front = ticketSubject(context.pages.inFront());
		const page =
			front && nameOf(front) === nameOf(subject) ? context.pages.front<TicketProtocol>('forge.ticket') : undefined;
		page?.tell('said', text);
		return page !== undefined;
	});

	const actions: PageActions = {
		writing: ending.signal,
		focusComposer: false,
		renderer: pageRenderer(context.render),
		async follow(href, from, signal) {
			const { instance } = connectionOf(context.connections, from);
			const base = webAddress(instance, { kind: 'ticket', ref: from.ref });
			await openLink(context.connections, { connectionKey: from.connectionKey, href, base }, signal);
		},
		wrote(item, outcome) {
			const undoing = vscode.l10n.t('Undoing changes of {0}…', ticketRefText(item.subject.ref));
			const change = changeOf({ item, outcome });
			triage.bulk.history.record(undoing, change ? [change] : []);
		},
	};

	return {
		tree,
		commands: {
			...ticketCommands(context, open, tree),
			...triageCommands(triage, tree),
			...treeCommands(context),
			...filterCommands(context, tree),
		},
		resumeAct: (connection, left) =>
			left.every(({ entry }) => entry.write.kind === 'ticketMails')
				? resumeSubscriptions(triage, connection, left, ending.signal)
				: resumeAct(triage, connection, left, ending.signal),
		links: {
			name: vscode.l10n.t('A ticket'),
			webLink: (subject) => webLink(context.connections, subject),
			async askForLink(signal) {
				const subject = await ticketOf(context, undefined, isAny, signal);
				return webAddress(connectionOf(context.connections, subject).instance, { kind: 'ticket', ref: subject.ref });
			},
		},
		known: knownTickets(context),
		restorePage: restorePage(ticketSubject, (panel, subject) => {
			context.pages.restore(panel, ticketPage(context, subject, actions));
		}),
		dispose() {
			ending.abort();
			tree.dispose();
		},
	};
}

/** Ticket and tracker commands. From the palette, each prompts for its subject. */
function ticketCommands(context: TicketsContext, open: OpenTicket, tree: TicketTree): CommandTable {
	return {
		'forge.tickets.open': async (subject, signal) => {
			if (!ticketSubject(subject) && !trackerSubject(subject)) {
				return vscode.commands.executeCommand('forge.goTo');
			}
			const ticket = await ticketOf(context, subject, isAny, signal);
			open(ticket, 'page', eventOf(subject));
		},
		'forge.trackers.show': async (subject, signal) => {
			const tracker = await trackerTarget(context, subject, signal);
			const connection = connectionOf(context.connections, tracker);
			const isIt = (ref: NamedRef): boolean => trackerKey(ref) === trackerKey(tracker.ref);
			const ref =
				connection.index.trackers().find(isIt) ?? (await trackerKind.tied(connection, signal)).refs.find(isIt);
			if (ref) {
				return tree.openList({ ...tracker, ref });
			}
			// The view has no row for it. A missing tracker fails here, before the question.
			await connection.tickets.tracker(tracker.ref, signal);
			open(await ticketOf(context, tracker, isAny, signal), 'page');
		},
		'forge.trackers.follow': (subject, signal) => followOwned(trackerKind, context.connections, subject, signal),
		'forge.trackers.unfollow': async (subject) => {
			const { connections, filters, treeChoices } = context;
			const { connectionKey, ref } = await unfollowOwned(trackerKind, connections, subject);
			const { me } = connectionOf(connections, { connectionKey });
			// Servers have lower-case user names only (docs/protocol.md#users).
			if (ref.owner.toLowerCase() !== me.toLowerCase()) {
				await treeChoices.forget(connectionKey, ref);
				await filters.setOnTracker(connectionKey, ref, undefined);
			}
		},
	};
}
