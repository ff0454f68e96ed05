import type { Connection, Connections } from '../../store/connection.ts';
import { isRecord } from '../commands/subjects.ts';

/*
 * Tool input is untrusted. Error texts are English sentences for the model, so that it can correct its input.
 */

/** Error for the model about its input. */
export class ToolInputError extends Error {}

/** Largest answer to a language model, in UTF-8. */
export const largestAnswerBytes = 32 * 1024;

/** An optional text field. */
export function textField(input: unknown, name: string): string | undefined {
	const value = isRecord(input) ? input[name] : undefined;
	if (value === undefined || value === null || value === '') {
		return undefined;
	}
	if (typeof value !== 'string') {
		throw new ToolInputError(`The field "${name}" has to be a text.`);
	}
	return value;
}

/** An integer within bounds; `usual` if absent. */
export function numberField(input: unknown, name: string, usual: number, most: number): number {
	const value = isRecord(input) ? input[name] : undefined;
	return typeof value === 'number' && Number.isFinite(value) ? Math.min(Math.max(1, Math.trunc(value)), most) : usual;
}

/**
 * Finds the named thing on a signed-in forge. `accounts` may read it: an address names its forge, a short name fits all.
 * `connection`: the first account whose forge fits the text.
 */
export function namedIn<T>(
	text: string,
	connections: Connections,
	parse: (text: string, connection: Connection) => T | undefined,
) {
	const all = signedInOr(connections.all());
	for (const connection of all) {
		const what = parse(text, connection);
		if (what !== undefined) {
			const isAddress = /^\s*(?:https?:|ssh:|git@)/i.test(text);
			const { id } = connection.instance;
			return { what, connection, accounts: isAddress ? all.filter(({ instance }) => instance.id === id) : all };
		}
	}
	return undefined;
}

/** A time in UTC for a model. */
export function timeOf(atMs: number): string {
	return Number.isFinite(atMs) ? new Date(atMs).toISOString().slice(0, 16).replace('T', ' ') : 'at an unknown time';
}

/** Replaces runs of blanks and line breaks by one blank. */
export function oneLine(text: string): string {
	return text.replaceAll(/\s+/gu, ' ');
}

/** All connected accounts; throws for the model if there is none. */
export function signedInOr<T>(all: readonly T[]): readonly T[] {
	if (all.length === 0) {
		throw new ToolInputError('Nobody is signed in to a forge. Ask the person to run the command "Forge: Sign In…".');
	}
	return all;
}
