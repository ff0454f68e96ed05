import { ForgeError, isForgeError } from './forgeError.ts';
import type { MailName, PatchsetRef } from './list.ts';
import { isOwnerName, refText, type NamedRef } from './namedRef.ts';
import type { Artifact, TreePath, WantedBlob } from './repository.ts';
import type { Subscribable } from './subscribable.ts';
import { ticketRefText, type TicketRef } from './ticket.ts';
import type { WebhookFamily } from './webhook.ts';

/** A first argument that names something. */
type Thing = NamedRef | TicketRef | PatchsetRef | MailName | WantedBlob | WebhookFamily | Subscribable;

/** Methods whose second argument is part of the name. In others it is a text or a cursor. */
const namedBySecond: readonly string[] = ['lookup', 'log', 'treeById', 'blobByShortId', 'change', 'remove'];

/** A part of the forge whose `notFound` errors carry the name of the missing thing (`ForgeError.about`). */
export function namingMissing<Part extends object>(part: Part): Part {
	return wrapped(part, nameOfCall);
}

function wrapped<T extends object>(
	target: T,
	nameOf: (method: string, args: readonly unknown[]) => string | undefined,
): T {
	return new Proxy(target, {
		get(whole, key): unknown {
			const member: unknown = Reflect.get(whole, key);
			if (typeof member !== 'function') {
				return isObject(member) ? wrapped(member, nameOf) : member;
			}
			return (...args: readonly unknown[]): unknown => {
				const result: unknown = Reflect.apply(member, whole, args);
				if (result instanceof Promise) {
					return result.catch((error: unknown) => {
						throw withName(error, nameOf(String(key), args));
					});
				}
				const isPaged = isObject(result) && Symbol.asyncIterator in result;
				return isPaged ? wrapped(result, () => nameOf(String(key), args)) : result;
			};
		},
	});
}

function withName(error: unknown, about: string | undefined): unknown {
	if (!isForgeError(error) || error.problem.kind !== 'notFound' || error.about !== undefined) {
		return error;
	}
	const { cause, isUnsent, isDone, stack } = error;
	return Object.assign(new ForgeError(error.problem, { cause, isUnsent, isDone, about }), { stack });
}

/** `undefined` for arguments without a name: the account itself, or a mail number. */
function nameOfCall(method: string, [first, second]: readonly unknown[]): string | undefined {
	if (typeof first === 'string') {
		// The area comes first in `user('todo', '~bob')`.
		return [first, second].filter((text) => typeof text === 'string').find(isOwnerName);
	}
	const name = isThing(first) ? nameOfThing(first) : undefined;
	if (name === undefined) {
		return undefined;
	}
	if (typeof second === 'string') {
		return namedBySecond.includes(method) ? `${name} ${second}` : name;
	}
	if (typeof second === 'number') {
		return method === 'read' ? name : `${name}/webhooks/${second}`;
	}
	if (!isPart(second)) {
		return name;
	}
	return 'path' in second ? placeText(name, second) : `${name} ${second.filename}`;
}

function nameOfThing(thing: Thing): string | undefined {
	if ('messageId' in thing) {
		return `<${thing.messageId}>`;
	}
	if ('tracker' in thing) {
		return ticketRefText(thing);
	}
	if ('list' in thing) {
		// The owner of a subscription's list is an object. A list without the subscription does exist.
		return typeof thing.list.owner === 'string' ? `${refText(thing.list)}/patches/${thing.id}` : undefined;
	}
	if ('ref' in thing) {
		const name = nameOfThing(thing.ref);
		return name !== undefined && 'id' in thing ? `${name} ${thing.at?.path ?? thing.id}` : name;
	}
	return 'owner' in thing ? refText(thing) : undefined;
}

/** `~alice/lantern main:src/a.c`, in git's revision syntax. */
export function placeText(repository: string, { ref: revision, path }: TreePath): string {
	return path === '' ? `${repository} ${revision}` : `${repository} ${revision}:${path}`;
}

function isObject(value: unknown): value is object {
	return typeof value === 'object' && value !== null;
}

function isThing(value: unknown): value is Thing {
	return isObject(value) && ['messageId', 'tracker', 'list', 'ref', 'kind', 'owner'].some((key) => key in value);
}

function isPart(value: unknown): value is TreePath | Artifact {
	return isObject(value) && ('path' in value || 'filename' in value);
}
