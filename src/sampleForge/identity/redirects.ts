import type { Answer, Call } from '../shared/area.ts';
import { redirect } from '../shared/answers.ts';

/** Redirect target and the client's state. */
export interface Return {
	readonly redirectUri: string;
	readonly state: string;
}

/** Redirects to the client with a result, with its state if it sent one. */
export function sendBack({ redirectUri, state }: Return, result: Readonly<Record<string, string>>): Answer {
	const target = new URL(redirectUri);
	for (const [name, value] of Object.entries({ ...result, ...(state === '' ? {} : { state }) })) {
		target.searchParams.append(name, value);
	}
	return redirect(target.href);
}

/** A field of a submitted form. */
export function sentText(call: Call, name: string): string | null {
	const value = call.body.fields[name];
	return typeof value === 'string' ? value : null;
}
