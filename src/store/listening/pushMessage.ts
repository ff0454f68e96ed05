import type { PushSaid } from '../../forge/port/deliveryHint.ts';
import { refText } from '../../forge/port/namedRef.ts';
import type { RepositoryRef } from '../../forge/port/repository.ts';
import { referencesIn, type FoundReference } from '../../engine/text/references.ts';
import { visible, visibleLine } from '../../engine/text/visible.ts';

/** Servers print a blank line for an empty response. */
const nothingToSay = 'No tickets named in this push.';
/** A push may name more, but the terminal must stay readable. */
const mostTickets = 10;
const placeholder = /\$\{(tickets|repository|references|pusher)\}/g;

/**
 * Text printed to the pusher. Omits lines with only empty placeholders. Contains no ticket titles, because the pusher
 * may not be allowed to see them. `template`: text with placeholders. `push`: from the delivery; the pusher may see it
 * all. `todoOrigin`: exact origin of the forge's ticket area.
 */
export function pushMessage(template: string, repository: RepositoryRef, push: PushSaid, todoOrigin: string): string {
	const values: Readonly<Record<string, string>> = {
		tickets: ticketsOf(push, repository, todoOrigin).slice(0, mostTickets).join(', '),
		repository: refText(repository),
		references: push.references.map(({ name }) => shortName(name)).join(', '),
		pusher: push.pusher.canonicalName,
	};
	const message = template
		.split(/\r?\n/)
		.flatMap((line) => {
			const names = Array.from(line.matchAll(placeholder), ([, name = '']) => name);
			const isEmpty = names.length > 0 && names.every((name) => values[name] === '');
			return isEmpty ? [] : [line.replaceAll(placeholder, (_, name: string) => visibleLine(values[name] ?? ''))];
		})
		.join('\n');
	return template.trim() === '' ? '' : visible(message.trim() === '' ? nothingToSay : message);
}

/**
 * Addresses of tickets in the new commit messages, deduplicated. Skips a bare `#12`, because a push names no tracker.
 */
function ticketsOf({ references }: PushSaid, { owner }: RepositoryRef, todoOrigin: string): readonly string[] {
	const messages = references.flatMap(({ after }) => (after === undefined ? [] : [after.message]));
	const found = messages.flatMap((message) => referencesIn(message, [todoOrigin]));
	return [...new Set(found.flatMap((each) => addressOf(each, owner, todoOrigin)))];
}

function addressOf(found: FoundReference, owner: string, todoOrigin: string): readonly string[] {
	const named = 'written' in found ? found.written : found.address;
	return named.kind === 'ticket' && named.name !== undefined
		? [`${todoOrigin}/${named.owner ?? owner}/${named.name}/${named.id}`]
		: [];
}

function shortName(name: string): string {
	return name.replace(/^refs\/(?:heads|tags)\//, '');
}
