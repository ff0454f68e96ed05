import type { PushSaid } from '../../forge/deliveryHint.ts';
import { refText } from '../../forge/namedRef.ts';
import type { RepositoryRef } from '../../forge/repository.ts';
import { referencesIn, type FoundReference } from '../../text/references.ts';
import { visible, visibleLine } from '../../text/visible.ts';

/** What a message is made of. */
export interface PushMessageParts {
	/** Text with placeholders: `${tickets}`, `${repository}`, `${references}` and `${pusher}`. */
	readonly template: string;
	readonly repository: RepositoryRef;
	/** What the delivery says. It is told to nobody but those who pushed. */
	readonly push: PushSaid;
	/** Exact origin of the forge's ticket area. */
	readonly todoOrigin: string;
}

/** Servers print a blank line for an empty answer. */
const nothingToSay = 'No tickets named in this push.';
/** A push may name more; a terminal is for reading. */
const mostTickets = 10;
const placeholder = /\$\{(tickets|repository|references|pusher)\}/g;

/**
 * What is printed to whoever pushed. Lines whose placeholders are all empty are left out. Of tickets only what
 * the push itself says: what they are called is not for everybody who may push.
 */
export function pushMessage({ template, repository, push, todoOrigin }: PushMessageParts): string {
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

/** The addresses of tickets that the new commits name, each once. A mere `#12` is of a tracker that no push tells. */
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
