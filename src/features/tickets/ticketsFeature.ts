import * as vscode from 'vscode';
import { Emitter } from '../../base/event.ts';
import type { LinkSource } from '../../editor/links/linkCommands.ts';
import type { GoToName, GoToThing } from '../../editor/links/goToThing.ts';
import { openLink } from '../../editor/links/openLink.ts';
import type { PageLink } from '../../editor/pages/pageHost.ts';
import { pageRenderer } from '../../editor/pages/pageRenderer.ts';
import type { Feature } from '../../editor/commands/feature.ts';
import { connectionOf } from '../../editor/commands/subjects.ts';
import { restorePage, type RestorePage } from '../../editor/pages/restorePage.ts';
import { ticketRefText } from '../../forge/ticket.ts';
import type { KnownThings } from '../../search/rankThings.ts';
import type { Connection } from '../../state/connection.ts';
import type { BulkPart } from '../../state/shared/writeJournal.ts';
import type { TicketProtocol } from '../../protocol/ticketProtocol.ts';
import { filterCommands } from './find/filterCommands.ts';
import { knownTickets } from './find/knownTickets.ts';
import { ticketSubject, type TicketSubject } from './subjects/subjects.ts';
import { ticketCommands, ticketLinks } from './ticketCommands.ts';
import { ticketPage } from './page/ticketPage.ts';
import type { EntryWanted, PageActions } from './page/pageActions.ts';
import type { TicketsParts } from './parts/ticketsParts.ts';
import type { CaretPlace } from './subjects/openTicket.ts';
import { ticketTree, type TicketTree } from './tree/ticketTree.ts';
import type { Triage } from './triage/job.ts';
import { triageCommands } from './triage/triageCommands.ts';
import { actHistory, actOf } from './triage/undo.ts';
import { resumeAct } from './triage/resumeAct.ts';
import { resumeSubscriptions } from './triage/subscribeTickets.ts';
import { undoLast } from './triage/undoLast.ts';
import { nameOf } from './tree/ticketOrder.ts';
import { treeCommands } from './tree/treeCommands.ts';
import { ticketWebLink } from './subjects/webLink.ts';

/** The ticket view, commands and page. */
export interface TicketsFeature extends Feature {
	readonly tree: TicketTree;
	readonly restorePage: RestorePage;
	/** Reports an interrupted bulk action. */
	readonly resumeAct: (connection: Connection, parts: readonly BulkPart[]) => Promise<void>;
	readonly links: LinkSource;
	readonly known: KnownThings<GoToName, GoToThing>;
}

export function ticketsFeature(parts: TicketsParts): TicketsFeature {
	const ending = new AbortController();
	const wanted = new Emitter<EntryWanted>();
	const tree = ticketTree(parts);

	/** Links to open pages by ticket. */
	const links = new Map<string, PageLink<TicketProtocol>>();

	function remember(subject: TicketSubject, link: PageLink<TicketProtocol>): void {
		const name = nameOf(subject);
		if (links.get(name) !== link) {
			links.set(name, link);
			link.owned.add({
				dispose() {
					if (links.get(name) === link) {
						links.delete(name);
					}
				},
			});
		}
	}

	function say(subject: TicketSubject, text: string): boolean {
		const front = ticketSubject(parts.pages.inFront());
		const link = front && nameOf(front) === nameOf(subject) ? links.get(nameOf(subject)) : undefined;
		link?.tell('said', text);
		return link !== undefined;
	}

	function open(subject: TicketSubject, caret: CaretPlace, entry?: number): void {
		const focusComposer = caret === 'composer';
		const content = ticketPage(parts, subject, { ...actions, focusComposer, editsText: caret === 'text', entry });
		if (entry !== undefined) {
			// Before the page opens, so it has the entry from the start.
			wanted.fire({ subject, entry });
		}
		const page = parts.pages.open(content, caret === 'unmoved' ? 'left' : 'taken');
		remember(subject, page);
		if (focusComposer) {
			page.tell('focusComposer', undefined);
		}
		if (caret === 'text') {
			page.tell('editText', undefined);
		}
	}

	const triage: Triage = {
		parts,
		history: actHistory(),
		open,
		say,
		undo: (what, signal) => undoLast(triage, what, signal),
		ending: ending.signal,
	};

	const actions: PageActions = {
		writing: ending.signal,
		focusComposer: false,
		onDidWant: wanted.event,
		renderer: pageRenderer(parts.render),
		wrote(item, outcome) {
			const undoing = vscode.l10n.t('Undoing changes of {0}…', ticketRefText(item.subject.ref));
			triage.history.record(actOf(undoing, [{ item, outcome }]));
		},
		async follow(href, from, signal) {
			const { instance } = connectionOf(parts.connections, from);
			const base = ticketWebLink(instance, from.ref);
			await openLink(parts.connections, { connectionKey: from.connectionKey, href, base }, signal);
		},
	};

	return {
		tree,
		commands: {
			...ticketCommands(parts, open),
			...triageCommands(triage, tree),
			...treeCommands(parts),
			...filterCommands(parts, tree),
		},
		resumeAct: (connection, left) =>
			left.every(({ entry }) => entry.write.kind === 'ticketMails')
				? resumeSubscriptions(triage, connection, left)
				: resumeAct(triage, connection, left),
		links: ticketLinks(parts),
		known: knownTickets(parts),
		restorePage: restorePage(ticketSubject, (panel, subject) => {
			remember(subject, parts.pages.restore(panel, ticketPage(parts, subject, actions)));
		}),
		dispose() {
			ending.abort();
			wanted.dispose();
			tree.dispose();
		},
	};
}
