import * as vscode from 'vscode';
import { askConnection, offer } from '../../../editor/ask/askConnection.ts';
import { askFor, cancelled, choose, type Choice } from '../../../editor/ask/ask.ts';
import { countsText } from '../../../editor/trees/pagingRows.ts';
import { refOfTicket, type Ticket, type TicketRef } from '../../../forge/ticket.ts';
import { trackerRefText, type Tracker, type TrackerRef } from '../../../forge/tracker.ts';
import type { Connection, Connections } from '../../../state/connection.ts';
import { visibleLine } from '../../../text/visible.ts';
import type { TicketSubject, TrackerSubject } from './subjects.ts';
import { offeredResolutions, resolutionText, statusLook, statusText, type OfferedResolution } from './words.ts';

/** What cannot be taken as a ticket number. */
const ticketNumber = /^#?([1-9]\d{0,8})$/;

/** Asks for an account, or takes the only one. */
export function askTicketConnection(connections: Connections): Promise<Connection> {
	return askConnection(connections, vscode.l10n.t('You are not signed in. Sign in to see tickets.'));
}

/** Asks for a tracker among one's own and the followed ones; no question when there is only one. */
export async function askTracker(
	connections: Connections,
	kind: 'any' | 'followed',
	signal: AbortSignal,
): Promise<TrackerSubject> {
	await requireAccount(connections);
	const perAccount = await Promise.allSettled(
		connections.all().map((connection) => trackerChoices(connection, kind, signal)),
	);
	// An account that cannot be asked hides nothing of the others.
	const choices = perAccount.flatMap((each) => (each.status === 'fulfilled' ? each.value : []));
	const failure = perAccount.find((each) => each.status === 'rejected');
	const [only] = choices;
	if (!only && failure) {
		throw failure.reason;
	}
	if (!only) {
		await offer(
			kind === 'followed'
				? vscode.l10n.t("You don't follow a tracker.")
				: vscode.l10n.t("You have no trackers and don't follow one."),
			{ label: vscode.l10n.t('Follow Tracker…'), command: 'forge.trackers.follow' },
		);
		throw cancelled();
	}
	return choices.length === 1 && kind === 'any' ? only.value : choose(vscode.l10n.t('Choose a tracker'), choices);
}

async function requireAccount(connections: Connections): Promise<void> {
	if (connections.all().length === 0) {
		await askTicketConnection(connections);
	}
}

async function trackerChoices(
	connection: Connection,
	kind: 'any' | 'followed',
	signal: AbortSignal,
): Promise<readonly Choice<TrackerSubject>[]> {
	const { tickets } = connection;
	const own = kind === 'any' ? await ownTrackers(connection, signal) : [];
	const refs: readonly TrackerRef[] = [
		...own.map(({ owner, name }) => ({ owner: owner.canonicalName, name })),
		...tickets.followedTrackers(),
	];
	return refs.map((ref) => ({
		label: visibleLine(trackerRefText(ref)),
		description: connection.instance.name,
		iconPath: new vscode.ThemeIcon('project'),
		value: { kind: 'tracker', connectionKey: connection.key, ref },
	}));
}

/** All trackers of the account's own. */
export async function ownTrackers({ tickets }: Connection, signal: AbortSignal): Promise<readonly Tracker[]> {
	let listing = await tickets.ownTrackers(signal);
	while (listing.completeness.kind === 'more') {
		listing = await tickets.moreOwnTrackers(signal);
	}
	return listing.items;
}

type TicketChoice =
	| { readonly kind: 'ticket'; readonly ref: TicketRef }
	| { readonly kind: 'number' }
	| { readonly kind: 'more' };

/** Asks for a ticket of a tracker: by its title, by its number, or by reading on. Shows only what `wanted` lets through. */
export async function askTicket(
	connection: Connection,
	tracker: TrackerRef,
	{ wanted, signal }: { readonly wanted: (ticket: Ticket) => boolean; readonly signal: AbortSignal },
): Promise<TicketSubject> {
	let listing = await connection.tickets.tickets(tracker, signal);
	for (;;) {
		const counts = countsText(listing.items.length, listing.completeness);
		const rows = listing.items.filter(wanted).map(ticketChoice);
		const more: readonly Choice<TicketChoice>[] =
			listing.completeness.kind === 'more'
				? [{ label: vscode.l10n.t('Show More'), description: counts, alwaysShow: true, value: { kind: 'more' } }]
				: [];
		const number: Choice<TicketChoice> = {
			label: vscode.l10n.t('Enter a ticket number…'),
			alwaysShow: true,
			value: { kind: 'number' },
		};
		const chosen = await choose(vscode.l10n.t('Choose a ticket of {0}', visibleLine(tracker.name)), [
			...rows,
			...more,
			number,
		]);
		switch (chosen.kind) {
			case 'ticket':
				return { kind: 'ticket', connectionKey: connection.key, ref: chosen.ref };
			case 'number':
				return { kind: 'ticket', connectionKey: connection.key, ref: { tracker, id: await askNumber() } };
			case 'more':
				listing = await connection.tickets.moreTickets(tracker, signal);
		}
	}
}

function ticketChoice(ticket: Ticket): Choice<TicketChoice> {
	const { codicon } = statusLook(ticket.status);
	return {
		label: visibleLine(ticket.title),
		description: `#${ticket.id} · ${statusText(ticket.status, ticket.resolution)}`,
		iconPath: new vscode.ThemeIcon(codicon),
		value: { kind: 'ticket', ref: refOfTicket(ticket) },
	};
}

async function askNumber(): Promise<number> {
	const answer = await askFor({
		title: vscode.l10n.t('Ticket number'),
		placeHolder: '12',
		complaint: (value) =>
			ticketNumber.test(value.trim()) ? undefined : vscode.l10n.t('Type the number of a ticket, such as 12.'),
	});
	return Number(ticketNumber.exec(answer)?.[1]);
}

/** Asks how tickets were resolved. `about` says which ones, as text for people. */
export function askResolution(about: string): Promise<OfferedResolution> {
	return choose(
		vscode.l10n.t('Resolve {0} as', about),
		offeredResolutions.map((word) => ({ label: resolutionText(word), value: word })),
	);
}
