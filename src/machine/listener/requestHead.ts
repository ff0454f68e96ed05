import type { IncomingMessage } from 'node:http';
import type { Hook, Refusal } from './delivery.ts';
import type { Proof } from './forgeKey.ts';
import { isHookPath } from './hookPath.ts';
import { calledHost, valuesOf } from './loopbackServer.ts';

export interface RequestHead {
	readonly path: string;
	readonly event: string;
	readonly id: string;
	/** Unverified. */
	readonly proof: Proof | undefined;
}

export interface HeadRules {
	/** Accepted `Host` names, lower case. */
	readonly hosts: ReadonlySet<string>;
	/** With a key, a delivery needs a signature. */
	readonly hookAt: (path: string) => Hook | undefined;
	readonly mostBodyBytes: number;
}

export interface TakenHead {
	readonly head: RequestHead;
	readonly hook: Hook;
}

export type HeadReading =
	| ({ readonly kind: 'head' } & TakenHead)
	| { readonly kind: 'refused'; readonly refusal: Refusal };

const contentType = /^application\/json[ \t]*(?:;[ \t]*charset=(?:[\w-]+|"[\w-]+")[ \t]*)?$/i;

/** Checks the headers of a request before its body. */
export function readHead(request: IncomingMessage, rules: HeadRules): HeadReading {
	const refusal = refuseCall(request, rules);
	if (refusal !== undefined) {
		return { kind: 'refused', refusal };
	}
	const path = request.url ?? '';
	const hook = isHookPath(path) ? rules.hookAt(path) : undefined;
	if (hook === undefined) {
		return { kind: 'refused', refusal: 'path' };
	}
	const unwanted = refuseBody(request, rules.mostBodyBytes);
	if (unwanted !== undefined) {
		return { kind: 'refused', refusal: unwanted };
	}
	const nonce = theOne(request, 'x-payload-nonce', /^\w{1,64}$/);
	const signature = theOne(request, 'x-payload-signature', /^[\w+/=]{1,128}$/);
	const proof = nonce === undefined || signature === undefined ? undefined : { nonce, signature };
	// Before the unsigned headers, because a request without a proof must count as forged.
	if (hook.key !== undefined && proof === undefined) {
		return { kind: 'refused', refusal: 'forged' };
	}
	const event = theOne(request, 'x-webhook-event', /^[\w:.-]{1,64}$/);
	const id = theOne(request, 'x-webhook-delivery', /^[\w-]{1,64}$/);
	return event === undefined || id === undefined
		? { kind: 'refused', refusal: 'headers' }
		: { kind: 'head', head: { path, event, id, proof }, hook };
}

function refuseCall(request: IncomingMessage, rules: HeadRules): Refusal | undefined {
	if (!rules.hosts.has(calledHost(request) ?? '')) {
		return 'host';
	}
	if (isOfBrowser(request)) {
		return 'browser';
	}
	return request.method === 'POST' ? undefined : 'method';
}

/** Reason to refuse the body. */
function refuseBody(request: IncomingMessage, mostBytes: number): Refusal | undefined {
	// A compressed body can exceed the limit after decompression.
	if (theOne(request, 'content-type', contentType) === undefined || valuesOf(request, 'content-encoding').length > 0) {
		return 'contentType';
	}
	if (valuesOf(request, 'expect').some((each) => each.toLowerCase() !== '100-continue')) {
		return 'headers';
	}
	return valuesOf(request, 'content-length').some((each) => Number(each) > mostBytes) ? 'tooLarge' : undefined;
}

/** Browsers send `Origin` with every POST; no page can prevent it. */
function isOfBrowser(request: IncomingMessage): boolean {
	const sites = valuesOf(request, 'sec-fetch-site');
	return valuesOf(request, 'origin').length > 0 || sites.some((site) => site !== 'none');
}

/** Value of a header that is unique and well-formed. */
function theOne(request: IncomingMessage, name: string, form: RegExp): string | undefined {
	const [value = '', ...others] = valuesOf(request, name);
	return others.length === 0 && form.test(value) ? value : undefined;
}
