import type { IncomingMessage } from 'node:http';
import type { ForgeKey, Proof } from './forgeKey.ts';
import { isHookPath } from './hookPath.ts';
import { calledHost, valuesOf } from './loopbackServer.ts';

export interface RequestHead {
	readonly path: string;
	readonly event: string;
	readonly id: string;
	/** Unverified. */
	readonly proof: Proof | undefined;
}

/** Reason of a refusal. The sender sees no difference. */
export type Refusal =
	/** Unknown `Host`. */
	| 'host'
	/** A page in a browser sent it. */
	| 'browser'
	| 'method'
	/** There is no hook at this path. */
	| 'path'
	/** Not plain JSON. */
	| 'contentType'
	/** A delivery header is missing, repeated or malformed. */
	| 'headers'
	| 'tooLarge'
	/** The signature is missing or wrong, although a key exists. */
	| 'forged'
	/** A replay of an earlier delivery. */
	| 'replayed';

const contentType = /^application\/json[ \t]*(?:;[ \t]*charset=(?:[\w-]+|"[\w-]+")[ \t]*)?$/i;

/** Checks the headers of a request before its body. `hosts`: accepted `Host` names, lower case. */
export function readHead(
	request: IncomingMessage,
	hosts: ReadonlySet<string>,
	hookAt: (path: string) => { readonly key: ForgeKey | undefined } | undefined,
	mostBodyBytes: number,
):
	| { readonly kind: 'head'; readonly head: RequestHead; readonly key: ForgeKey | undefined }
	| { readonly kind: 'refused'; readonly refusal: Refusal } {
	const refusal = refuseCall(request, hosts);
	if (refusal !== undefined) {
		return { kind: 'refused', refusal };
	}
	const path = request.url ?? '';
	const hook = isHookPath(path) ? hookAt(path) : undefined;
	if (hook === undefined) {
		return { kind: 'refused', refusal: 'path' };
	}
	const unwanted = refuseBody(request, mostBodyBytes);
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
		: { kind: 'head', head: { path, event, id, proof }, key: hook.key };
}

function refuseCall(request: IncomingMessage, hosts: ReadonlySet<string>): Refusal | undefined {
	if (!hosts.has(calledHost(request) ?? '')) {
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
