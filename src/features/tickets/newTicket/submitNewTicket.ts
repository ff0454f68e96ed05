import * as vscode from 'vscode';
import { onceAtATime } from '../../../base/onceAtATime.ts';
import { confirmForGood, notify, tellBriefly } from '../../../editor/ask/notify.ts';
import { withProgress } from '../../../editor/ask/progress.ts';
import { connectionOf } from '../../../editor/commands/subjects.ts';
import { openExactly } from '../../../editor/links/openExactly.ts';
import { isBareRefusal, isForgeError } from '../../../forge/forgeError.ts';
import { refOfTicket, ticketRefText, type Ticket } from '../../../forge/ticket.ts';
import { refText } from '../../../forge/namedRef.ts';
import type { TrackerRef } from '../../../forge/tracker.ts';
import { visibleLine } from '../../../text/visible.ts';
import type { DraftDocuments } from '../drafts/draftDocuments.ts';
import type { TicketSubject } from '../subjects/subjects.ts';
import type { TicketsParts } from '../parts/ticketsParts.ts';
import { webLink } from '../subjects/webLink.ts';
import { faultText } from './faultTexts.ts';
import type { NewTicketSubject } from './newTicketChecks.ts';
import { readTicket, type TicketFault } from './newTicketText.ts';
import type { LostTicket, Submission, SubmitOutcome } from '../../../state/tickets/writing/submitOnce.ts';

export interface SubmitParts extends Pick<TicketsParts, 'connections' | 'problems'> {
	readonly documents: Pick<DraftDocuments, 'textOf' | 'finish'>;
	/** Faults that block the submission. The document marks them too. */
	readonly faults: (about: NewTicketSubject, text: string) => readonly TicketFault[];
	/** Shows the page of the new ticket. */
	readonly openTicket: (subject: TicketSubject) => void;
	/** Aborts with the window. The lookup of a lost ticket continues after the user cancels the wait. */
	readonly looking: AbortSignal;
}

/** Submits new tickets, each at most once at a time. */
export interface NewTicketSender {
	/**
	 * Submits the current text. Resolves when the outcome is clear. Follow-up questions appear in notices that nobody
	 * awaits.
	 */
	send(about: NewTicketSubject, signal: AbortSignal): Promise<void>;
}

/** A submission and its source text. */
interface Sending {
	readonly about: NewTicketSubject;
	readonly text: string;
	readonly submission: Submission;
}

/** Closes a ticket's document only after the forge has the ticket. */
export function newTicketSender(parts: SubmitParts): NewTicketSender {
	const once = onceAtATime();
	/** Key of the lock that stops a double key press from creating two tickets. */
	const keyOf = ({ connectionKey, name }: NewTicketSubject): string => `${connectionKey} ${name}`;

	async function send(about: NewTicketSubject, signal: AbortSignal): Promise<void> {
		const text = parts.documents.textOf(about);
		if (text === undefined) {
			void notify(
				'information',
				vscode.l10n.t('There is nothing to submit: this ticket was already submitted or discarded.'),
			);
			return;
		}
		const [fault] = parts.faults(about, text);
		if (fault) {
			void notify('warning', faultText(fault));
			return;
		}
		const { title, description } = readTicket(text);
		const submission: Submission = {
			tracker: about.tracker,
			ticket: { title, description },
			draft: { name: about.name, text },
			looking: parts.looking,
		};
		const { writes } = connectionOf(parts.connections, about);
		await once(keyOf(about), async () => {
			if (await mayBeSent(about, signal)) {
				await ended({ about, text, submission }, (working) => writes.submit(submission, working), signal);
			}
		});
	}

	/** Looks up an earlier try in doubt. Asks the user if the lookup fails. */
	async function mayBeSent(about: NewTicketSubject, signal: AbortSignal): Promise<boolean> {
		const { writes } = connectionOf(parts.connections, about);
		const left = writes.lostTicket(about.name);
		if (!left) {
			return true;
		}
		const { tracker, ticket, draft } = left.write;
		const before: Sending = {
			about,
			text: draft?.text ?? '',
			submission: { tracker, ticket, looking: parts.looking },
		};
		const outcome = left.isMissing
			? undefined
			: await withProgress(vscode.l10n.t('Checking the tracker…'), signal, () =>
					writes.findLostTicket(before.submission, left.lost),
				);
		if (outcome?.kind === 'arrived' || outcome?.kind === 'submitted') {
			await done(before, outcome.ticket);
			return false;
		}
		if (outcome?.kind === 'unclear' && !(await confirmAgain(tracker))) {
			return false;
		}
		await left.lost.entry.failed();
		return true;
	}

	async function ended(
		sent: Sending,
		work: (signal: AbortSignal) => Promise<SubmitOutcome>,
		signal: AbortSignal,
	): Promise<void> {
		const outcome = await withProgress(vscode.l10n.t('Submitting…'), signal, work).catch((error: unknown) => {
			throw explained(error, sent.about) ?? error;
		});
		switch (outcome.kind) {
			case 'submitted':
			case 'arrived':
				return done(sent, outcome.ticket);
			case 'missing':
				parts.problems.log(outcome.error);
				void offerAgain(sent).catch((error: unknown) => void parts.problems.show(error));
				return;
			case 'unclear':
				parts.problems.log(outcome.lost.error);
				void offerLook(sent, outcome.lost).catch((error: unknown) => void parts.problems.show(error));
		}
	}

	/** Shows a specific message for a refusal. Returns an abort error, so the command shows no second message. */
	function explained(error: unknown, { tracker }: NewTicketSubject): Error | undefined {
		const text = refusedText(error, tracker);
		if (text === undefined) {
			return undefined;
		}
		parts.problems.log(error);
		void notify('error', text);
		return new DOMException('Said already', 'AbortError');
	}

	/** Text typed after the submission is not part of the ticket and stays in the draft. */
	async function done({ about, text }: Sending, ticket: Ticket): Promise<void> {
		const ref = refOfTicket(ticket);
		const name = visibleLine(ticketRefText(ref));
		tellBriefly(vscode.l10n.t('Submitted {0}', name));
		const now = parts.documents.textOf(about);
		if (now === text) {
			// The journal entry stays. The next start checks it again.
			await parts.documents.finish(about).catch(parts.problems.log);
		} else if (now !== undefined) {
			void notify('information', vscode.l10n.t('Submitted {0} without what you typed since. Your text is kept.', name));
		}
		parts.openTicket({ kind: 'ticket', connectionKey: about.connectionKey, ref });
	}

	async function offerAgain({ about }: Sending): Promise<void> {
		const again = vscode.l10n.t('Submit Again');
		const message = vscode.l10n.t(
			'The response was lost, and your ticket is not in {0}. It was not submitted; your text is kept.',
			visibleLine(refText(about.tracker)),
		);
		if ((await notify('error', message, again)) === again) {
			await send(about, parts.looking);
		}
	}

	async function offerLook(sent: Sending, lost: LostTicket): Promise<void> {
		const { about } = sent;
		const look = vscode.l10n.t('Check Again');
		const web = vscode.l10n.t('Open on the Web');
		const message = vscode.l10n.t(
			'The response was lost, and it is not known whether your ticket is in {0}. Check before you submit again; your text is kept.',
			visibleLine(refText(about.tracker)),
		);
		const chosen = await notify('error', message, look, web);
		if (chosen === look) {
			const { writes } = connectionOf(parts.connections, about);
			await once(keyOf(about), () => ended(sent, () => writes.findLostTicket(sent.submission, lost), parts.looking));
		}
		const link = webLink(parts.connections, {
			kind: 'tracker',
			connectionKey: about.connectionKey,
			ref: about.tracker,
		});
		if (chosen === web && link !== undefined) {
			await openExactly(link);
		}
	}

	return { send };
}

function confirmAgain(tracker: TrackerRef): Promise<boolean> {
	return confirmForGood(
		vscode.l10n.t('This ticket may have been submitted to {0} already.', visibleLine(refText(tracker))),
		vscode.l10n.t("The forge can't be reached to check. Submitting it again may create it twice."),
		vscode.l10n.t('Submit Again'),
	);
}

/** `undefined` if the general error message is enough. */
function refusedText(error: unknown, tracker: TrackerRef): string | undefined {
	if (isBareRefusal(error)) {
		return vscode.l10n.t(
			'The forge rejected your ticket. Ask {0} for permission to submit.',
			visibleLine(tracker.owner),
		);
	}
	return isForgeError(error) && error.problem.kind === 'notFound'
		? vscode.l10n.t(
				"{0} doesn't exist, or you don't have access to it. Your text is kept.",
				visibleLine(refText(tracker)),
			)
		: undefined;
}
