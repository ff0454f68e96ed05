import { forgeErrorOf } from '../../src/answers/failures.ts';
import assert from 'node:assert/strict';
import { ForgeError, isForgeError } from '../../src/port/forgeError.ts';
import type { Problem } from '../../src/port/forgeError.ts';
import { HttpFailure } from '../../src/http/httpClient.ts';
import type { Failure, HttpAnswer } from '../../src/http/httpClient.ts';
import { one } from '../../src/rest/answers.ts';
import { problemOf } from '../../src/rest/problems.ts';
import { Misread } from '../../src/answers/decoding.ts';
import { label } from '../../src/rest/wire/tracker.ts';

const context = {
	area: 'todo',
	origin: 'https://todo.forge.example',
	nowMs: 1_000_000,
	scopeNames: { emails: 'email' },
} as const;

function answer(status: number, body: string, more: Partial<HttpAnswer> = {}): HttpAnswer {
	return {
		status,
		contentType: 'application/json',
		location: undefined,
		retryAfterMs: undefined,
		body: new TextEncoder().encode(body),
		...more,
	};
}

function reasons(...found: readonly string[]): string {
	return JSON.stringify({ errors: found.map((reason) => ({ reason })) });
}

const page = '<!doctype html><title>Traceback</title><p>secret-token at line 7</p>';
const html = { contentType: 'text/html; charset=utf-8' };

const cases: readonly (readonly [about: string, given: HttpAnswer, problem: Problem])[] = [
	[
		'a missing token',
		answer(401, reasons('No authorization supplied (expected an OAuth token)')),
		{ kind: 'tokenRejected', area: 'todo' },
	],
	[
		'a malformed token',
		answer(401, reasons('Invalid authorization supplied')),
		{ kind: 'tokenRejected', area: 'todo' },
	],
	[
		'a bad token with 400',
		answer(400, reasons('Invalid or expired OAuth token')),
		{ kind: 'tokenRejected', area: 'todo' },
	],
	[
		'a bad token with 401',
		answer(401, reasons('Invalid or expired OAuth token')),
		{ kind: 'tokenRejected', area: 'todo' },
	],
	['a 401 page: the token is fine', answer(401, page, html), { kind: 'notAllowed' }],
	['a 401 with a reason', answer(401, reasons('Not yours')), { kind: 'notAllowed', reason: 'Not yours' }],
	['a 403 page', answer(403, page, html), { kind: 'notAllowed' }],
	[
		'a 403 about the account, over several lines',
		answer(403, reasons('Your account is <b>suspended</b>.\r\n\r\nWrite to <support@forge.example>.')),
		{ kind: 'notAllowed', reason: 'Your account is suspended. Write to <support@forge.example>.' },
	],
	[
		'a refused subscription',
		answer(403, JSON.stringify({ errors: [{ field: 'list', reason: 'You may not read this list' }] })),
		{ kind: 'notAllowed', reason: 'You may not read this list' },
	],
	['a 403 that repeats its status only', answer(403, reasons('403 forbidden')), { kind: 'notAllowed' }],
	['a 403 without a reason', answer(403, reasons('', ' Permission denied. ')), { kind: 'notAllowed' }],
	[
		'a missing scope behind a client id',
		answer(
			403,
			reasons('Your OAuth token is not permitted to use this endpoint (needs aaaa000000000003/trackers:write)'),
		),
		{ kind: 'missingScope', scope: 'trackers:write', asWritten: 'aaaa000000000003/trackers:write' },
	],
	[
		'a missing scope that the server spells its own way',
		answer(403, reasons('not permitted (needs lists.forge.example/email:read)')),
		{ kind: 'missingScope', scope: 'emails:read', asWritten: 'lists.forge.example/email:read' },
	],
	[
		'an unknown missing scope',
		answer(403, reasons('not permitted (needs x/wishes:grant)')),
		{ kind: 'missingScope', scope: undefined, asWritten: 'x/wishes:grant' },
	],
	['a missing thing', answer(404, reasons('404 not found')), { kind: 'notFound' }],
	['a deleted thing', answer(410, ''), { kind: 'notFound' }],
	[
		'invalid fields, without their markup',
		answer(
			400,
			JSON.stringify({
				errors: [
					{ field: 'name', reason: 'Only alphanumeric characters or <samp>._-</samp>' },
					{ reason: 'a &lt; b &amp;&amp; c' },
				],
			}),
		),
		{
			kind: 'invalid',
			errors: [
				{ field: 'name', reason: 'Only alphanumeric characters or ._-' },
				{ field: undefined, reason: 'a < b && c' },
			],
		},
	],
	[
		'a rejection without a reason',
		answer(400, page, html),
		{ kind: 'invalid', errors: [{ field: undefined, reason: 'no reason, status 400', own: 'noneGiven' }] },
	],
	['an unsupported method', answer(405, page, html), { kind: 'notOffered' }],
	['too many requests', answer(429, '', { retryAfterMs: 5000 }), { kind: 'rateLimited', untilMs: 1_005_000 }],
	['too many requests without a time', answer(429, page, html), { kind: 'rateLimited', untilMs: undefined }],
	['a crash', answer(500, page, html), { kind: 'serverError', status: 500 }],
	['a bad gateway', answer(502, page, html), { kind: 'serverError', status: 502 }],
	[
		'a redirect to another host',
		answer(302, '', { location: 'https://evil.example/login' }),
		{ kind: 'redirected', toHost: 'evil.example' },
	],
	[
		'a redirect on the same host',
		answer(301, '', { location: '/login' }),
		{ kind: 'redirected', toHost: 'todo.forge.example' },
	],
	[
		'a redirect without a target',
		answer(302, ''),
		{ kind: 'notUnderstood', where: 'the answer', why: 'status 302 was not expected' },
	],
	[
		'an unexpected status',
		answer(199, ''),
		{ kind: 'notUnderstood', where: 'the answer', why: 'status 199 was not expected' },
	],
	[
		'a proxy that wants a password',
		answer(407, ''),
		{ kind: 'unreachable', reason: 'proxySignIn', host: 'todo.forge.example' },
	],
];

const failures: readonly (readonly [Failure, Problem])[] = [
	[
		{ kind: 'unreachable', reason: 'dns', host: 'h' },
		{ kind: 'unreachable', reason: 'dns', host: 'h' },
	],
	[
		{ kind: 'tooLarge', limitBytes: 9 },
		{ kind: 'tooLarge', limitBytes: 9 },
	],
	[{ kind: 'truncated' }, { kind: 'notUnderstood', where: 'the answer', why: 'it ends too early' }],
	[{ kind: 'garbled' }, { kind: 'notUnderstood', where: 'the answer', why: 'it is no proper HTTP' }],
];

function readLabel(given: HttpAnswer): Problem {
	try {
		one(label).read(given);
	} catch (error) {
		const found = forgeErrorOf(error);
		assert.ok(isForgeError(found));
		return found.problem;
	}
	throw new Error('It went well');
}

suite('error mapping', () => {
	for (const [about, given, problem] of cases) {
		test(`recognizes ${about} (status ${given.status})`, () => {
			assert.deepEqual(problemOf(given, context).problem, problem);
		});
	}

	for (const [failure, problem] of failures) {
		test(`maps the failure "${failure.kind}" to ${problem.kind}`, () => {
			const found = forgeErrorOf(new HttpFailure(failure));
			assert.ok(isForgeError(found));
			assert.deepEqual(found.problem, problem);
		});
	}

	test('reports a wrong value with its path', () => {
		const found = forgeErrorOf(new Misread('.results[3].title', 'expected string, found null'));
		assert.ok(isForgeError(found));
		assert.deepEqual(found.problem, {
			kind: 'notUnderstood',
			where: 'results[3].title',
			why: 'expected string, found null',
		});
	});

	test('rejects an empty response and a truncated one', () => {
		assert.deepEqual(
			[answer(200, ''), answer(200, '{"name": "x", "col')].map((given) => {
				const problem = readLabel(given);
				return problem.kind === 'notUnderstood' ? [problem.where, problem.why] : problem;
			}),
			[
				['the answer', 'the answer is empty'],
				['the answer', 'the answer is no JSON or ends too early'],
			],
		);
	});

	test('never includes page text or values of the server', () => {
		const texts = [
			...cases.map(([, given]) => problemOf(given, context)),
			forgeErrorOf(new Misread('', 'x')),
			new ForgeError(readLabel(answer(200, '{"name": "secret-token", "colors": "secret-token"}'))),
		].map((error) => JSON.stringify([String(error), isForgeError(error) ? error.problem : undefined]));
		for (const text of texts) {
			assert.doesNotMatch(text, /secret-token|<p>|<title>|Traceback/);
		}
	});

	test('removes an echoed token, even if markup splits it', () => {
		const given = answer(400, reasons('No secret-token here', 'No secret-<b>token</b> here'));
		const shown = { field: undefined, reason: 'No [secret] here' };
		assert.deepEqual(problemOf(given, { ...context, token: 'secret-token' }).problem, {
			kind: 'invalid',
			errors: [shown, shown],
		});
	});

	test('passes other errors through unchanged', () => {
		const abort = new DOMException('Stop', 'AbortError');
		assert.equal(forgeErrorOf(abort), abort);
	});
});
