import * as vscode from 'vscode';
import { originOf, type ForgeInstance } from 'sourcehut/port/instance.ts';
import { refOfTicket, type ShortTicket } from 'sourcehut/port/ticket.ts';
import type { Participant, ShortUser } from 'sourcehut/port/user.ts';
import type { LabelView, Part, Sentence } from '../../../pages/protocol/ticketProtocol.ts';
import { safeLink } from '../../../engine/text/linkPolicy.ts';
import { visibleLine } from '../../../engine/text/visible.ts';
import { webAddress } from '../../../editor/links/webOf.ts';

/** Puts parts into a translated sentence with the places `{0}`, `{1}`, …; each place may take several parts. */
export function sentence(template: string, ...places: readonly (Part | Sentence)[]): Sentence {
	return template.split(/(\{\d\})/).flatMap((piece) => {
		const [, place] = /^\{(\d)\}$/.exec(piece) ?? [];
		const part = place === undefined ? textPart(piece) : places[Number(place)];
		if (part === undefined || piece === '') {
			return [];
		}
		return 'kind' in part ? [part] : part;
	});
}

/** Words as they are. */
export function textPart(text: string): Part {
	return { kind: 'text', text };
}

/** Somebody with an account. */
export function userPart({ canonicalName, name }: ShortUser, instance: ForgeInstance): Part {
	return {
		kind: 'person',
		name: visibleLine(name),
		detail: visibleLine(canonicalName),
		mark: undefined,
		href: webAddress(instance, { kind: 'person', name: canonicalName, area: 'todo' }),
	};
}

/** A participant of any kind; "somebody" without a name. */
export function personPart(person: Participant | undefined, instance: ForgeInstance): Part {
	switch (person?.kind) {
		case 'user':
			return userPart(person, instance);
		case 'email':
			return {
				kind: 'person',
				name: visibleLine(person.name ?? person.address),
				detail: visibleLine(person.address),
				mark: vscode.l10n.t('by email'),
				href: safeLink(`mailto:${person.address}`, originOf(instance, 'todo'))?.href,
			};
		case 'external':
			return {
				kind: 'person',
				name: visibleLine(person.externalId),
				detail: visibleLine(person.externalUrl ?? person.externalId),
				mark: vscode.l10n.t('external'),
				href: person.externalUrl === undefined ? undefined : safeLink(person.externalUrl, person.externalUrl)?.href,
			};
		case undefined:
			return textPart(vscode.l10n.t('Someone'));
	}
}

/** A label by name, with the colours that the tracker gives it. */
export function labelPart(name: string, looks: ReadonlyMap<string, LabelView>): Part {
	return { kind: 'label', ...labelView(name, looks) };
}

/** The same outside a sentence. */
export function labelView(name: string, looks: ReadonlyMap<string, LabelView>): LabelView {
	return looks.get(name) ?? { name: visibleLine(name), colors: undefined };
}

/** Another ticket. */
export function ticketPart(ticket: ShortTicket, instance: ForgeInstance): Part {
	return {
		kind: 'ticket',
		text: visibleLine(ticket.ref),
		title: visibleLine(ticket.title ?? ticket.ref),
		href: webAddress(instance, { kind: 'ticket', ref: refOfTicket(ticket) }),
	};
}
