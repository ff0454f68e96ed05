import { bareSubject, isNamedRef, isRecord } from '../../editor/commands/subjects.ts';
import type { ListRef, PatchsetRef } from '../../forge/port/list.ts';
import type { OwnerName } from '../../forge/port/user.ts';

export interface PersonSubject {
	readonly kind: 'person';
	readonly connectionKey: string;
	/** `~alice`, or an e-mail address. */
	readonly name: OwnerName;
}

/** A mail for a command about its sender. */
export interface SentMail {
	readonly connectionKey: string;
	readonly list: ListRef;
	readonly id: number;
}

/** Accepts tree rows and bare subjects from any caller; returns `undefined` if it names no person. */
export function personSubject(value: unknown): PersonSubject | undefined {
	const candidate = bareSubject(value);
	if (!isRecord(candidate) || candidate['kind'] !== 'person') {
		return undefined;
	}
	const { connectionKey, name } = candidate;
	return typeof connectionKey === 'string' && typeof name === 'string' && isOwnerName(name)
		? { kind: 'person', connectionKey, name }
		: undefined;
}

/** The mail that a row or a page of the lists area is about. */
export function sentMail(value: unknown): SentMail | undefined {
	const candidate = bareSubject(value);
	if (!isRecord(candidate) || candidate['kind'] !== 'mail') {
		return undefined;
	}
	const { connectionKey, list, id } = candidate;
	return typeof connectionKey === 'string' && isNamedRef(list) && Number.isSafeInteger(id)
		? { connectionKey, list, id: Number(id) }
		: undefined;
}

/** The patchset that a row or a page is about. */
export function sentSeries(value: unknown): (PatchsetRef & { readonly connectionKey: string }) | undefined {
	const candidate = bareSubject(value);
	if (!isRecord(candidate) || candidate['kind'] !== 'patchset' || !isRecord(candidate['ref'])) {
		return undefined;
	}
	const { connectionKey, ref } = candidate;
	const { list, id } = ref;
	return typeof connectionKey === 'string' && isNamedRef(list) && Number.isSafeInteger(id)
		? { connectionKey, list, id: Number(id) }
		: undefined;
}

/** True for `~name` and for a possible e-mail address. */
export function isOwnerName(text: string): boolean {
	return text.length <= 512 && /^(?:~[^\s/<>]+|[^\s~/<>@][^\s/<>@]*@[^\s/<>@]+)$/.test(text);
}
