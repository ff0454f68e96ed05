import * as vscode from 'vscode';
import type { Connection } from '../../state/connection.ts';
import { isRecord } from '../commands/subjects.ts';

/*
 * What a language model asks for is checked like anything that comes from outside. The sentences are for the model,
 * which reads English and mends its input by them.
 */

/** Told to the model when its input cannot be used. */
export class ToolInputError extends Error {}

/** Largest answer to a language model, in UTF-8. */
export const largestAnswerBytes = 32 * 1024;

/** A field of text; `undefined` when it is left out. */
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

/** A whole number between bounds, or `usual` when it is left out. */
export function numberField(
	input: unknown,
	name: string,
	{ usual, most }: { readonly usual: number; readonly most: number },
): number {
	const value = isRecord(input) ? input[name] : undefined;
	return typeof value === 'number' && Number.isFinite(value) ? Math.min(Math.max(1, Math.trunc(value)), most) : usual;
}

/** A whole number from 1 on, which has to be there. */
export function countField(input: unknown, name: string): number {
	const value = isRecord(input) ? input[name] : undefined;
	if (!Number.isSafeInteger(value) || Number(value) < 1) {
		throw new ToolInputError(`The field "${name}" has to be a whole number from 1 on.`);
	}
	return Number(value);
}

/** Who writes, and where. Forges may have the same name, so the host is named as well. */
export function accountText(connection: Pick<Connection, 'me' | 'instance'> | undefined): string {
	const { me = '', instance } = connection ?? {};
	const host = instance === undefined ? '' : new URL(instance.areas.meta).host;
	return vscode.l10n.t('As {0} on {1} ({2})', me, instance?.name ?? '', host);
}

/** Everything that is signed in, or a sentence that says that nothing is. */
export function signedInOr<T>(all: readonly T[]): readonly T[] {
	if (all.length === 0) {
		throw new ToolInputError('Nobody is signed in to a forge. Ask the person to run the command "Forge: Sign In…".');
	}
	return all;
}
