import type { Answer, Call } from '../shared/area.ts';
import { redirect } from '../shared/answers.ts';

/** Where an answer goes to, and what the client wants to have back. */
export interface Return {
	readonly redirectUri: string;
	readonly state: string;
}

/** Back to the client with a result; without a state where none was sent. */
export function sendBack({ redirectUri, state }: Return, result: Readonly<Record<string, string>>): Answer {
	const target = new URL(redirectUri);
	for (const [name, value] of Object.entries({ ...result, ...(state === '' ? {} : { state }) })) {
		target.searchParams.append(name, value);
	}
	return redirect(target.href);
}

/** A field of a form that was sent. */
export function sentText(call: Call, name: string): string | null {
	const value = call.body.fields[name];
	return typeof value === 'string' ? value : null;
}
