import * as vscode from 'vscode';
import { countsText } from '../../../editor/trees/pagingRows.ts';
import type { ForgeInstance } from 'sourcehut/port/instance.ts';
import type { Comment, TicketEvent, TicketEventKind, TicketRef } from 'sourcehut/port/ticket.ts';
import { spelled } from 'sourcehut/port/word.ts';
import type { CommentView, EntryView, LabelView, Part, Sentence } from '../../../pages/protocol/ticketProtocol.ts';
import type { Listing } from '../../../store/shared/listing.ts';
import { visibleLine } from '../../../engine/text/visible.ts';
import { labelPart, personPart, sentence, textPart, ticketPart } from './sentence.ts';

import { resolutionText, statusLook } from '../subjects/words.ts';
import { webAddress } from '../../../editor/links/webOf.ts';

export interface TimelineContext {
	readonly instance: ForgeInstance;
	readonly ref: TicketRef;
	readonly labels: ReadonlyMap<string, LabelView>;
	/** Markdown of a comment as safe HTML. */
	readonly html: (markdown: string) => string;
	readonly edit: (comment: Comment) => CommentView['edit'];
	readonly hasDraft: (comment: Comment) => boolean;
}

type Line = EntryView['lines'][number];

/** One entry: several kinds in one event stay together. */
export function entryView(event: TicketEvent, context: TimelineContext): EntryView {
	return {
		id: event.id,
		atMs: event.createdMs,
		lines: event.kinds.flatMap((kind) => lineOf(kind, event, context) ?? []),
		comment: event.comment && {
			author: [personPart(event.comment.submitter, context.instance)],
			html: context.html(event.comment.text),
			edit: context.edit(event.comment),
			hasDraft: context.hasDraft(event.comment),
		},
		href: webAddress(context.instance, { kind: 'ticket', ref: context.ref, event: event.id }),
	};
}

/** "50 of 312 entries"; empty for a complete timeline. */
export function timelineCounts({ items, completeness }: Listing<TicketEvent>): string {
	return countsText(items.length, completeness);
}

function lineOf(kind: TicketEventKind, event: TicketEvent, context: TimelineContext): Line | undefined {
	const who = personPart(event.user, context.instance);
	const by = personPart(event.byUser ?? event.user, context.instance);
	switch (kind) {
		case 'comment':
			return event.comment ? undefined : { icon: 'comment', sentence: sentence(vscode.l10n.t('{0} commented'), who) };
		case 'created':
			return { icon: 'reported', sentence: sentence(vscode.l10n.t('{0} submitted this ticket'), who) };
		case 'status_change':
			return statusLine(event, who);
		case 'label_added':
		case 'label_removed': {
			const chips = event.labels.map((name) => labelPart(name, context.labels));
			const isOne = event.labels.length === 1;
			const added = isOne ? vscode.l10n.t('{0} added the label {1}') : vscode.l10n.t('{0} added the labels {1}');
			const removed = isOne ? vscode.l10n.t('{0} removed the label {1}') : vscode.l10n.t('{0} removed the labels {1}');
			return { icon: 'label', sentence: sentence(kind === 'label_added' ? added : removed, who, chips) };
		}
		case 'assigned_user':
		case 'unassigned_user':
			return {
				icon: 'person',
				sentence:
					event.byUser === undefined || JSON.stringify(event.byUser) === JSON.stringify(event.user)
						? sentence(
								kind === 'assigned_user'
									? vscode.l10n.t('{0} assigned themselves')
									: vscode.l10n.t('{0} unassigned themselves'),
								who,
							)
						: sentence(
								kind === 'assigned_user' ? vscode.l10n.t('{0} assigned {1}') : vscode.l10n.t('{0} unassigned {1}'),
								by,
								who,
							),
			};
		case 'user_mentioned': {
			const from = event.fromTicket ?? event.ticket;
			return {
				icon: 'mention',
				sentence: from
					? sentence(vscode.l10n.t('{0} mentioned {1} in {2}'), by, who, ticketPart(from, context.instance))
					: sentence(vscode.l10n.t('{0} mentioned {1}'), by, who),
			};
		}
		case 'ticket_mentioned':
			return { icon: 'reference', sentence: ticketMention(event, by, context) };
		default:
			return {
				icon: 'unknown',
				sentence: sentence(vscode.l10n.t('{0} did: {1}'), by, textPart(visibleLine(spelled(kind)))),
			};
	}
}

function statusLine(event: TicketEvent, who: Part): Line {
	const before = event.oldStatus;
	const after = event.newStatus ?? 'reported';
	const icon = statusLook(after).pageIcon;
	const resolution = status(resolutionText(event.newResolution ?? 'unresolved'));
	if (after === 'resolved') {
		return before === 'resolved'
			? { icon, sentence: sentence(vscode.l10n.t('{0} changed the resolution to {1}'), who, resolution) }
			: { icon, sentence: sentence(vscode.l10n.t('{0} resolved this as {1}'), who, resolution) };
	}
	if (before === 'resolved' && after === 'reported') {
		return { icon: 'confirmed', sentence: sentence(vscode.l10n.t('{0} reopened this ticket'), who) };
	}
	const to = status(statusLook(after).text);
	return before === undefined
		? { icon, sentence: sentence(vscode.l10n.t('{0} set the status to {1}'), who, to) }
		: {
				icon,
				sentence: sentence(
					vscode.l10n.t('{0} changed the status from {1} to {2}'),
					who,
					status(statusLook(before).text),
					to,
				),
			};
}

/** The mentioned ticket is usually this one; a mention by this ticket names the other. */
function ticketMention(event: TicketEvent, by: Part, { instance, ref }: TimelineContext): Sentence {
	const isThis = event.ticket === undefined || event.ticket.id === ref.id;
	const other = isThis ? event.fromTicket : event.ticket;
	if (!other) {
		return sentence(vscode.l10n.t('{0} mentioned this ticket'), by);
	}
	return isThis
		? sentence(vscode.l10n.t('{0} mentioned this ticket in {1}'), by, ticketPart(other, instance))
		: sentence(vscode.l10n.t('{0} mentioned {1} here'), by, ticketPart(other, instance));
}

function status(text: string): Part {
	return { kind: 'status', text };
}
