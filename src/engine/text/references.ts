import { pushAll } from '@forge-desk/base/longArrays.ts';
/**
 * What people write to name something on a forge (docs/protocol.md#written-references). An owner `undefined` means
 * the owner of the text's source, a name `undefined` means the tracker of the text's source.
 */
export type WrittenReference =
	| {
			readonly kind: 'ticket';
			/** `~alice` */
			readonly owner: string | undefined;
			readonly name: string | undefined;
			readonly id: number;
	  }
	| { readonly kind: 'user'; readonly owner: string };

/** Web pages of written references. `undefined` where the forge has no such page. */
export interface ReferenceAddresses {
	address(
		page:
			| { readonly kind: 'person'; readonly name: string; readonly area: 'todo' }
			| {
					readonly kind: 'ticket';
					readonly ref: { readonly tracker: { readonly owner: string; readonly name: string }; readonly id: number };
			  },
	): string | undefined;
}

/** `tracker`: the tracker of a ticket. */
export function addressOfReference(
	written: WrittenReference,
	tracker: { readonly owner: string; readonly name: string },
	web: ReferenceAddresses,
): string | undefined {
	return written.kind === 'user'
		? web.address({ kind: 'person', name: written.owner, area: 'todo' })
		: web.address({ kind: 'ticket', ref: { tracker, id: written.id } });
}

/** A full reference, as in addresses. */
export type AddressedReference =
	| {
			readonly kind: 'ticket';
			readonly owner: string;
			readonly name: string;
			readonly id: number;
			readonly eventId: number | undefined;
	  }
	| { readonly kind: 'tracker'; readonly owner: string; readonly name: string };

/** Where something is named in a text: UTF-16 offsets, `end` after the last character. */
export type FoundReference =
	| { readonly start: number; readonly end: number; readonly written: WrittenReference }
	| {
			readonly start: number;
			readonly end: number;
			/** The origin among the given ones that the address begins with. */
			readonly origin: string;
			readonly address: AddressedReference;
	  };

/*
 * The forge's own rule: a reference follows the start of the text, a blank or an opening parenthesis. Every pattern
 * begins there and runs over each character once, so time grows with the text and not faster.
 */
const written =
	/(?<![^\s(])(?:(?:(?<owner>~[a-z_][\w-]{0,254})\/)?(?<name>[a-z0-9_.-]{1,255})?#(?<id>[1-9]\d{0,8})(?![\p{L}\p{N}_])|(?<user>~[a-z_][\w-]{0,254})(?![\p{L}\p{N}_/]))/giu;

/** An address begins after any character outside words, such as a quote or an angle bracket. */
const addressStart = /(?<![\p{L}\p{N}_])https?:\/\//giu;

const addressPath =
	/\/(?:~|%7e)(?<owner>[a-z_][\w-]{0,254})\/(?<name>[a-z0-9_.-]{1,255})(?:\/(?<id>[1-9]\d{0,8})(?:#event-(?<event>[1-9]\d{0,14}))?)?\/?(?![\w/%~@:])/iy;

/** Punctuation after an address that belongs to the sentence. */
const sentenceEnd = /[.\-_]+$/;

/**
 * Everything in the text that names a ticket, a tracker or a person, in order and without overlaps. `todoOrigins` are the
 * ticket areas' exact origins, as `https://todo.forge.example`; addresses of other places are none of ours.
 */
export function referencesIn(text: string, todoOrigins: readonly string[]): readonly FoundReference[] {
	const found: FoundReference[] = [];
	for (const { index } of todoOrigins.length === 0 ? [] : text.matchAll(addressStart)) {
		// Schemes and hosts are written in either case.
		const origin = todoOrigins.find(
			(each) => text.slice(index, index + each.length).toLowerCase() === each.toLowerCase(),
		);
		pushAll(found, origin === undefined ? [] : addressAt(text, index, origin));
	}
	if (text.includes('#') || text.includes('~')) {
		for (const match of text.matchAll(written)) {
			const { owner, name, id, user } = match.groups ?? {};
			const at = { start: match.index, end: match.index + match[0].length };
			// An owner without a name is nothing, and two dots are no tracker.
			const isNothing = (owner !== undefined && name === undefined) || isDots(name);
			if (user !== undefined) {
				found.push({ ...at, written: { kind: 'user', owner: user } });
			} else if (!isNothing) {
				found.push({ ...at, written: { kind: 'ticket', owner, name, id: Number(id) } });
			}
		}
	}
	const inOrder = found.toSorted((a, b) => a.start - b.start);
	// A sign right before an address makes both plain text: `~https://…` names nobody.
	return inOrder.filter((each, at) => {
		const next = inOrder[at + 1];
		return next === undefined || next.start >= each.end;
	});
}

function addressAt(text: string, start: number, origin: string): readonly FoundReference[] {
	addressPath.lastIndex = start + origin.length;
	const match = addressPath.exec(text);
	const { owner = '', name = '', id, event } = match?.groups ?? {};
	if (!match) {
		return [];
	}
	const end = start + origin.length + match[0].length;
	if (id !== undefined) {
		const eventId = event === undefined ? undefined : Number(event);
		const address = { kind: 'ticket', owner: `~${owner}`, name, id: Number(id), eventId } as const;
		return isDots(name) ? [] : [{ start, end, origin, address }];
	}
	const shortName = name.replace(sentenceEnd, '');
	return shortName === ''
		? []
		: [
				{
					start,
					end: end - (name.length - shortName.length),
					origin,
					address: { kind: 'tracker', owner: `~${owner}`, name: shortName },
				},
			];
}

function isDots(name: string | undefined): boolean {
	return name !== undefined && /^\.+$/.test(name);
}
