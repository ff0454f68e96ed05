import * as v from 'valibot';
import { ForgeError } from 'sourcehut/port/forgeError.ts';
import type { NamedRef } from 'sourcehut/port/namedRef.ts';
import type { Connection, Connections } from '../../store/connection.ts';

/** Subject of "Show more": `run` loads more, and the view redraws itself. */
export interface ShowMoreSubject {
	readonly kind: 'showMore';
	readonly run: (signal: AbortSignal) => Promise<void>;
}

/** Subject of commands on a thing with owner and name. */
export interface NamedSubject<Kind extends string> {
	readonly kind: Kind;
	readonly connectionKey: string;
	readonly ref: NamedRef;
}

/** True for objects with accessible fields. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
	return typeof value === 'object' && value !== null;
}

/** Unwraps a tree row; returns any other value unchanged. */
export function bareSubject(value: unknown): unknown {
	return isRecord(value) && 'item' in value && 'subject' in value ? value['subject'] : value;
}

/** A decoder of subjects from any caller: a tree row or the bare subject; `undefined` for anything else. */
export function subjectReader<T>(schema: v.GenericSchema<unknown, T>): (value: unknown) => T | undefined {
	return (value) => {
		const read = v.safeParse(schema, bareSubject(value));
		return read.success ? read.output : undefined;
	};
}

/** An optional field of a subject: a caller's wrong value counts as none, because it only refines what opens. */
export function refining<T>(schema: v.GenericSchema<unknown, T>) {
	return v.fallback(v.optional(schema), undefined);
}

/** A number of the forge: of a ticket, a mail or a patchset. */
export const forgeNumber = v.pipe(v.number(), v.safeInteger(), v.minValue(1));

/** The account that a subject belongs to. Throws "not signed in" once that account is gone. */
export function connectionOf(
	connections: Connections,
	{ connectionKey }: { readonly connectionKey: string },
): Connection {
	const connection = connections.byKey(connectionKey);
	if (!connection) {
		throw new ForgeError({ kind: 'notSignedIn' });
	}
	return connection;
}
