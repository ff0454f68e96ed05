import * as vscode from 'vscode';
import { Disposables } from '@forge-desk/base/lifecycle.ts';
import { onceAtATime } from '../../../base/onceAtATime.ts';
import { cancelled } from '../../../editor/ask/ask.ts';
import { confirmForGood, withoutPictures, notify, tellBriefly } from '../../../editor/ask/notify.ts';
import { withProgress } from '../../../editor/ask/progress.ts';
import type { Feature } from '../../../editor/commands/feature.ts';
import { connectionOf, isRecord } from '../../../editor/commands/subjects.ts';
import { openExactly } from '../../../editor/links/openDestination.ts';
import { isBareRefusal, isForgeError } from 'sourcehut/port/forgeError.ts';
import { refText } from 'sourcehut/port/namedRef.ts';
import { refOfTicket, type Ticket, ticketRefText } from 'sourcehut/port/ticket.ts';
import type { LostTicket, Submission, SubmitOutcome } from '../../../store/tickets/writing/submitOnce.ts';
import { visibleLine } from '../../../engine/text/visible.ts';
import type { DraftDocuments } from '../drafts/draftDocuments.ts';
import { newTicketScheme } from '../drafts/draftSubject.ts';
import type { TicketsContext } from '../context/ticketsContext.ts';
import { trackerOf, type TicketSubject, type TrackerSubject } from '../subjects/subjects.ts';
import { queuedText } from '../subjects/queuedWords.ts';
import { askTracker } from '../subjects/ticketQuestions.ts';

import {
	faultText,
	newTicketChecks,
	newTicketOf,
	shownTitleHints,
	type NewTicketSubject,
	type NewTicketChecks,
} from './newTicketChecks.ts';
import { newTicketFromHere } from './newTicketFromHere.ts';
import { readTicket, type TicketFault } from './newTicketText.ts';
import { webAddress } from '../../../editor/links/webOf.ts';

/** New tickets as documents: commands, checks during typing, and the code lens above the title. */
export function newTicketFeature(context: TicketsContext, documents: DraftDocuments): Feature {
	const owned = new Disposables();
	const ending = new AbortController();
	const checks = owned.add(newTicketChecks(context.connections, context.clock, context.problems));
	owned.add(shownTitleHints());
	owned.add(vscode.languages.registerCodeLensProvider({ scheme: newTicketScheme }, newTicketLenses(checks)));
	const send = newTicketSender(context, documents, (about, text) => checks.faults(about, text), ending.signal);

	async function open(tracker: TrackerSubject, text?: string): Promise<void> {
		const about: NewTicketSubject = {
			kind: 'newTicket',
			connectionKey: connectionOf(context.connections, tracker).key,
			tracker: tracker.ref,
			name: context.newName(),
		};
		await documents.open(about, text);
	}

	return {
		commands: {
			'forge.tickets.new': async (subject, signal) =>
				open(trackerOf(subject) ?? (await askTracker(context.connections, signal))),
			'forge.tickets.newFromHere': async (subject, signal) => {
				const { tracker, text } = await newTicketFromHere(context, subject, signal);
				await open(tracker, text);
			},
			'forge.tickets.submit': async (subject, signal) => send(subjectTarget(subject).about, signal),
			'forge.tickets.discard': async (subject) => {
				const { about, uri } = subjectTarget(subject);
				const document = await vscode.workspace.openTextDocument(uri);
				if (
					document.getText().trim() !== '' &&
					!(await confirmForGood(
						vscode.l10n.t('Discard this new ticket?'),
						vscode.l10n.t("Its text was not sent to the forge. This can't be undone."),
						vscode.l10n.t('Discard'),
					))
				) {
					throw cancelled();
				}
				await documents.finish(about);
			},
		},
		dispose() {
			ending.abort();
			owned.dispose();
		},
	};
}

/** The document of the pressed button, otherwise the active one. */
function subjectTarget(subject: unknown): { readonly about: NewTicketSubject; readonly uri: vscode.Uri } {
	const uri =
		isRecord(subject) && subject instanceof vscode.Uri ? subject : vscode.window.activeTextEditor?.document.uri;
	const about = uri && newTicketOf(uri);
	if (!uri || !about) {
		throw cancelled();
	}
	return { about, uri };
}

/** Longer titles would push the others out of the line. The whole one is the lens's tooltip. */
const longestTitle = 40;

/**
 * Code lens above the title: send, discard, similar tickets and doubts. It never wraps, so only the most similar ticket
 * shows its title, and long items are last.
 */
export function newTicketLenses(checks: NewTicketChecks): vscode.CodeLensProvider {
	return {
		onDidChangeCodeLenses: checks.onDidChange,
		provideCodeLenses({ uri }) {
			const about = newTicketOf(uri);
			if (!about) {
				return [];
			}
			const { doubt, similar } = checks.findings(uri);
			const commands: readonly vscode.Command[] = [
				{ title: `$(send) ${vscode.l10n.t('Submit New Ticket')}`, command: 'forge.tickets.submit', arguments: [uri] },
				{ title: vscode.l10n.t('Discard…'), command: 'forge.tickets.discard', arguments: [uri] },
				...similar.map((ticket, place) => {
					const isNearest = place === 0;
					const subject: TicketSubject = {
						kind: 'ticket',
						connectionKey: about.connectionKey,
						ref: refOfTicket(ticket),
					};
					const whole = visibleLine(ticket.title);
					const title = whole.length > longestTitle ? `${Array.from(whole).slice(0, longestTitle).join('')}…` : whole;
					return {
						title: isNearest ? vscode.l10n.t('Similar: #{0} {1}', ticket.id, withoutPictures(title)) : `#${ticket.id}`,
						tooltip: whole,
						command: 'forge.tickets.open',
						arguments: [subject],
					};
				}),
				...(doubt === undefined ? [] : [{ title: `$(warning) ${withoutPictures(doubt)}`, command: '' }]),
			];
			const start = new vscode.Range(0, 0, 0, 0);
			return commands.map((command) => new vscode.CodeLens(start, command));
		},
	};
}

/**
 * Submits each new ticket at most once at a time. Closes its document only after the forge has the ticket. `faults`:
 * faults that block the submission; the document marks them too. `looking`: ends with the window; the lookup of a lost
 * ticket continues after the user cancels the wait.
 */
export function newTicketSender(
	{ connections, problems }: TicketsContext,
	documents: DraftDocuments,
	faults: (about: NewTicketSubject, text: string) => readonly TicketFault[],
	looking: AbortSignal,
) {
	const once = onceAtATime();
	/** Key of the lock that stops a double key press from creating two tickets. */
	const keyOf = ({ connectionKey, name }: NewTicketSubject): string => `${connectionKey} ${name}`;

	/** Submits the current text. Resolves when the outcome is clear. Nobody awaits follow-up questions in notices. */
	async function send(about: NewTicketSubject, signal: AbortSignal): Promise<void> {
		const text = documents.textOf(about);
		if (text === undefined) {
			void notify(
				'information',
				vscode.l10n.t('There is nothing to submit: this ticket was already submitted or discarded.'),
			);
			return;
		}
		const [fault] = faults(about, text);
		if (fault) {
			void notify('warning', faultText(fault));
			return;
		}
		const { title, description } = readTicket(text);
		const submission: Submission = {
			tracker: about.tracker,
			ticket: { title, description },
			draft: { name: about.name, text },
			looking,
		};
		const { writes } = connectionOf(connections, about);
		await once(keyOf(about), async () => {
			if (await mayBeSent(about, signal)) {
				await ended(about, submission, (working) => writes.submit(submission, working), signal);
			}
		});
	}

	/** Looks up an earlier try in doubt. Asks the user if the lookup fails. */
	async function mayBeSent(about: NewTicketSubject, signal: AbortSignal): Promise<boolean> {
		const { writes } = connectionOf(connections, about);
		const left = writes.lostTicket(about.name);
		if (!left) {
			return true;
		}
		const { tracker, ticket, draft } = left.write;
		const before: Submission = { tracker, ticket, looking, ...(draft ? { draft } : {}) };
		const outcome = left.isMissing
			? undefined
			: await withProgress(vscode.l10n.t('Checking the tracker…'), signal, () =>
					writes.findLostTicket(before, left.lost),
				);
		if (outcome?.kind === 'arrived' || outcome?.kind === 'submitted') {
			await done(about, before, outcome.ticket);
			return false;
		}
		if (
			outcome?.kind === 'unclear' &&
			!(await confirmForGood(
				vscode.l10n.t('This ticket may have been submitted to {0} already.', visibleLine(refText(tracker))),
				vscode.l10n.t("The forge can't be reached to check. Submitting it again may create it twice."),
				vscode.l10n.t('Submit Again'),
			))
		) {
			return false;
		}
		await left.lost.entry.failed();
		return true;
	}

	async function ended(
		about: NewTicketSubject,
		submission: Submission,
		work: (signal: AbortSignal) => Promise<SubmitOutcome>,
		signal: AbortSignal,
	): Promise<void> {
		const { tracker } = about;
		const outcome = await withProgress(vscode.l10n.t('Submitting…'), signal, work).catch((error: unknown) => {
			const text = isBareRefusal(error)
				? vscode.l10n.t('The forge rejected your ticket. Ask {0} for permission to submit.', visibleLine(tracker.owner))
				: isForgeError(error) && error.problem.kind === 'notFound'
					? vscode.l10n.t(
							"{0} doesn't exist, or you don't have access to it. Your text is kept.",
							visibleLine(refText(tracker)),
						)
					: undefined;
			if (text === undefined) {
				throw error;
			}
			problems.log(error);
			void notify('error', text);
			// An abort, so the command shows no second message.
			throw new DOMException('Said already', 'AbortError');
		});
		switch (outcome.kind) {
			case 'submitted':
			case 'arrived':
				return done(about, submission, outcome.ticket);
			case 'missing':
				problems.log(outcome.error);
				void offerAgain(about).catch((error: unknown) => void problems.show(error));
				return;
			case 'queued':
				problems.log(outcome.error);
				tellBriefly(queuedText(outcome.error));
				return documents.finish(about);
			case 'unclear':
				problems.log(outcome.lost.error);
				void offerLook(about, submission, outcome.lost).catch((error: unknown) => void problems.show(error));
		}
	}

	/** Text typed after the submission is not part of the ticket and stays in the draft. */
	async function done(about: NewTicketSubject, { draft }: Submission, ticket: Ticket): Promise<void> {
		const ref = refOfTicket(ticket);
		const name = visibleLine(ticketRefText(ref));
		tellBriefly(vscode.l10n.t('Submitted {0}', name));
		const now = documents.textOf(about);
		if (now === (draft?.text ?? '')) {
			// The journal entry stays. The next start checks it again.
			await documents.finish(about).catch(problems.log);
		} else if (now !== undefined) {
			void notify('information', vscode.l10n.t('Submitted {0} without what you typed since. Your text is kept.', name));
		}
		const subject: TicketSubject = { kind: 'ticket', connectionKey: about.connectionKey, ref };
		void vscode.commands.executeCommand('forge.tickets.open', subject);
	}

	async function offerAgain(about: NewTicketSubject): Promise<void> {
		const again = vscode.l10n.t('Submit Again');
		const message = vscode.l10n.t(
			'The response was lost, and your ticket is not in {0}. It was not submitted; your text is kept.',
			visibleLine(refText(about.tracker)),
		);
		if ((await notify('error', message, again)) === again) {
			await send(about, looking);
		}
	}

	async function offerLook(about: NewTicketSubject, submission: Submission, lost: LostTicket): Promise<void> {
		const look = vscode.l10n.t('Check Again');
		const web = vscode.l10n.t('Open on the Web');
		const message = vscode.l10n.t(
			'The response was lost, and it is not known whether your ticket is in {0}. Check before you submit again; your text is kept.',
			visibleLine(refText(about.tracker)),
		);
		const chosen = await notify('error', message, look, web);
		if (chosen === look) {
			const { writes } = connectionOf(connections, about);

			await once(keyOf(about), () => ended(about, submission, () => writes.findLostTicket(submission, lost), looking));
		}
		if (chosen === web) {
			await openExactly(webAddress(connectionOf(connections, about).instance, { kind: 'tracker', ref: about.tracker }));
		}
	}

	return send;
}
