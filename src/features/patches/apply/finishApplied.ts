import * as vscode from 'vscode';
import { isAbort } from '@forge-desk/base/abort.ts';
import { cancelled, chooseSeveral, type TickChoice } from '../../../editor/ask/ask.ts';
import { namesText, offer, notify } from '../../../editor/ask/notify.ts';
import { withProgress } from '../../../editor/ask/progress.ts';
import { connectionOf } from '../../../editor/commands/subjects.ts';
import type { Patchset } from 'sourcehut/port/list.ts';
import { ticketRefText } from 'sourcehut/port/ticket.ts';
import { visibleLine } from '../../../engine/text/visible.ts';
import type { Connection } from '../../../store/connection.ts';
import { thanksName } from '../../../store/drafts/drafts.ts';
import type { AppliedFact } from '../../lists/checks/appliedCommits.ts';
import { hasStatus } from '../../lists/subjects/words.ts';
import { setStatusQuietly } from '../../lists/status/setStatus.ts';
import type { PatchsetSubject } from '../../lists/subjects/subjects.ts';
import type { ApplyContext } from './savedApplied.ts';
import { thankedMail, thanksText } from './thanksMail.ts';

/** One thing to do for a pushed patchset. */
interface Part {
	readonly label: string;
	/** Throws the reason of a failure. */
	readonly run: (signal: AbortSignal) => Promise<void>;
}

/** A failure with its own sentence. */
class PartFailure extends Error {
	/** The user said no, or saw the error. */
	readonly isKnown: boolean;

	constructor(message: string, isKnown = false) {
		super(message);
		this.isKnown = isKnown;
	}
}

/**
 * Asks once for all that is left to do for a pushed patchset, and does it: its status, tickets of its commits, thanks.
 * Each part checks the forge first, so nothing happens twice. `head`: a sentence about the push; may be empty.
 */
export async function finishApplied(
	parts: ApplyContext,
	subject: PatchsetSubject,
	head: string,
	signal: AbortSignal,
): Promise<void> {
	const connection = connectionOf(parts.connections, subject);
	const fact = parts.appliedCommits.of(subject);
	const { pushed } = fact ?? {};
	if (!fact || !pushed) {
		void notify('information', vscode.l10n.t('This patchset was not pushed from here. Apply and push it first.'));
		throw cancelled();
	}
	const choices = await withProgress(vscode.l10n.t('Loading what is left to do…'), signal, (working) =>
		partsLeft(parts, connection, fact, working),
	);
	const title = visibleLine(connection.lists.knownPatchset(subject.ref)?.subject ?? `${subject.ref.id}`);
	if (choices.length === 0) {
		void notify('information', sentences(head, vscode.l10n.t('Nothing is left to do for "{0}".', title)));
		return;
	}
	let chosen: readonly Part[];
	try {
		chosen = await chooseSeveral(
			vscode.l10n.t('Choose what to do for "{0}"', title),
			head === ''
				? vscode.l10n.t('Pushed to {0}.', `${visibleLine(pushed.branch)} (${visibleLine(pushed.remote)})`)
				: head,
			[{ heading: vscode.l10n.t('After the push'), choices }],
		);
	} catch (error) {
		if (head === '' || !isAbort(error)) {
			throw error;
		}
		// The push is done, so closing the list cancels nothing.
		offerAgain(subject, 'information', head, vscode.l10n.t('Finish…'));
		return;
	}
	await runParts(parts, subject, head, chosen, signal);
}

/** Runs the parts, also after a failed one, and reports all. */
async function runParts(
	parts: ApplyContext,
	subject: PatchsetSubject,
	head: string,
	chosen: readonly Part[],
	signal: AbortSignal,
): Promise<void> {
	const [done, failed]: [string[], string[]] = [[], []];
	let isError = false;
	for (const { label, run } of chosen) {
		try {
			await run(signal);
			done.push(label);
		} catch (error) {
			if (signal.aborted) {
				throw error;
			}
			isError ||= !(error instanceof PartFailure && error.isKnown);
			parts.problems.log(error);
			const reason = error instanceof PartFailure ? error.message : parts.problems.explain(error).message;
			failed.push(`${label}: ${reason}`);
		}
	}
	const doneText = done.length === 0 ? '' : vscode.l10n.t('Done: {0}.', listed(done));
	if (failed.length === 0) {
		void notify('information', sentences(head, doneText));
	} else {
		const text = sentences(head, doneText, vscode.l10n.t('Not done: {0}', listed(failed)));
		const action = isError ? vscode.l10n.t('Try Again…') : vscode.l10n.t('Finish…');
		offerAgain(subject, isError ? 'error' : 'information', text, action);
	}
}

/** Not awaited: the notice may stay open for hours. */
function offerAgain(subject: PatchsetSubject, severity: 'information' | 'error', text: string, action: string): void {
	if (text !== '') {
		void offer(severity, text, action, () => vscode.commands.executeCommand('forge.patchsets.finishApplied', subject));
	}
}

function sentences(...all: readonly string[]): string {
	return all.filter((each) => each !== '').join(' ');
}

function listed(names: readonly string[]): string {
	return namesText(names).replaceAll('\n', ', ');
}

async function partsLeft(
	parts: ApplyContext,
	connection: Connection,
	fact: AppliedFact,
	signal: AbortSignal,
): Promise<readonly TickChoice<Part>[]> {
	const { subject } = fact;
	const patchset = await connection.lists.renewPatchset(subject.ref, signal).catch(unlessAborted(parts, signal));
	const tickets = await Promise.all(
		fact.tickets.map(async (named) => ({
			...named,
			ticket: await connection.tickets.renewTicket(named, signal).catch(unlessAborted(parts, signal)),
		})),
	);
	const choices: TickChoice<Part>[] = [];
	if (canBecomeApplied(patchset)) {
		const label = vscode.l10n.t('Set Status to Applied');
		const run = (working: AbortSignal): Promise<void> => setApplied(parts, subject, working);
		choices.push({
			label,
			description: visibleLine(patchset?.subject ?? ''),
			iconPath: new vscode.ThemeIcon('tag'),
			picked: true,
			value: { label, run },
		});
	}
	for (const { tracker, id, trailer, ticket } of tickets) {
		if (ticket?.status !== 'resolved') {
			const named = visibleLine(ticketRefText({ tracker, id }));
			const label = {
				Closes: vscode.l10n.t('Resolve {0} as Closed', named),
				Fixes: vscode.l10n.t('Resolve {0} as Fixed', named),
				Implements: vscode.l10n.t('Resolve {0} as Implemented', named),
			}[trailer];
			choices.push({
				label,
				description: visibleLine(ticket?.title ?? ''),
				...(ticket ? {} : { detail: vscode.l10n.t('The ticket could not be loaded.') }),
				iconPath: new vscode.ThemeIcon('issue-closed'),
				// A patch may name a ticket of a project that has nothing to do with it.
				picked: ticket !== undefined && tracker.owner === subject.ref.list.owner,
				value: { label, run: (working) => resolveTicket(connection, { tracker, id, trailer }, working) },
			});
		}
	}
	if (fact.thanks?.sentMs === undefined) {
		const label = vscode.l10n.t('Send Thanks');
		const detail = vscode.l10n.t('A reply with the commit ids. You see it and its recipients before it is sent.');
		choices.push({
			label,
			description: visibleLine(patchset?.submitter ?? ''),
			detail,
			iconPath: new vscode.ThemeIcon('mail'),
			picked: true,
			value: { label, run: (working) => sendThanks(parts, connection, subject, working) },
		});
	}
	return choices;
}

function canBecomeApplied(patchset: Patchset | undefined): boolean {
	return patchset === undefined || (hasStatus(patchset) && patchset.status !== 'applied');
}

/** A part whose state is unknown is offered, and looks again before it writes. */
function unlessAborted({ problems }: ApplyContext, signal: AbortSignal) {
	return (error: unknown): undefined => {
		signal.throwIfAborted();
		problems.log(error);
	};
}

async function setApplied({ statuses, connections }: ApplyContext, subject: PatchsetSubject, signal: AbortSignal) {
	const now = await connectionOf(connections, subject).lists.renewPatchset(subject.ref, signal);
	if (now.status === 'applied') {
		return;
	}
	const outcome = await setStatusQuietly(statuses, subject, 'applied', signal);
	if (outcome.kind !== 'done') {
		throw new PartFailure(statuses.outcomeText(subject, outcome));
	}
}

/** The forge may have resolved the ticket by the push, or another window in the meantime. */
async function resolveTicket(
	{ tickets, writes }: Connection,
	{ tracker, id, trailer }: AppliedFact['tickets'][number],
	signal: AbortSignal,
): Promise<void> {
	const ref = { tracker, id };
	if ((await tickets.renewTicket(ref, signal)).status === 'resolved') {
		return;
	}
	const resolution = ({ Closes: 'closed', Fixes: 'fixed', Implements: 'implemented' } as const)[trailer];
	const outcome = await writes.write(ref, { move: { kind: 'resolve', resolution } }, signal);
	switch (outcome.kind) {
		case 'done':
		case 'arrived':
		case 'queued':
			return;
		case 'missing':
			throw new PartFailure(
				vscode.l10n.t('The connection was lost, and the change was not made. It can be sent again.'),
			);
		case 'unclear':
			throw new PartFailure(vscode.l10n.t('The connection was lost, and it is not known whether the change was made.'));
	}
}

/** Opens the draft, and asks about its recipients like for any reply. A draft of an earlier try stays as it is. */
async function sendThanks(
	parts: ApplyContext,
	connection: Connection,
	subject: PatchsetSubject,
	signal: AbortSignal,
): Promise<void> {
	const { appliedCommits, drafts, mailDrafts } = parts;
	const fact = appliedCommits.of(subject);
	const { series } = await connection.reviews.read(subject.ref, signal);
	const to = thankedMail(series);
	if (!fact || !to || fact.thanks?.sentMs !== undefined) {
		// Another window sent them.
		return;
	}
	const { connectionKey, ref } = subject;
	const about = { kind: 'mail', connectionKey, ref: ref.list, answers: to.id, name: thanksName } as const;
	const text = drafts.draft(about) ? undefined : await thanksText(connection, parts, { fact, series, to }, signal);
	await appliedCommits.put({ ...fact, thanks: { to: to.id, sentMs: undefined } });
	const editor = await mailDrafts.open(about, text, 'end');
	// Shows its own errors, and never throws.
	await vscode.commands.executeCommand('forge.lists.sendMail', editor.document.uri);
	if (appliedCommits.of(subject)?.thanks?.sentMs === undefined) {
		throw new PartFailure(vscode.l10n.t('The draft is open. Send it when it is ready.'), true);
	}
}
