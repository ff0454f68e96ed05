import assert from 'node:assert/strict';
import type { Dispatcher } from 'undici';
import { bodyRoom } from '../../src/http/bodyRoom.ts';
import { Cancellation, exchange } from '../../src/http/exchange.ts';
import { HttpFailure, type HttpAnswer, type HttpRequest } from '../../src/http/httpClient.ts';
import { fakeClock, type FakeClock } from '../../../../test/support/fakeClock.ts';

const mebibyte = 1024 * 1024;
const deadlineMs = 30_000;
/** Extra time per mebibyte: at least 32 bytes per millisecond are expected. */
const ofMebibyteMs = mebibyte / 32;

/** The connection’s side of one call, under the test’s control. */
interface Call {
	readonly clock: FakeClock;
	readonly outcome: Promise<HttpAnswer | Error>;
	readonly timeouts: () => number;
	receive(bytes: number): void;
	end(): void;
}

const controller: Dispatcher.DispatchController = {
	aborted: false,
	paused: false,
	reason: null,
	abort: () => undefined,
	pause: () => undefined,
	resume: () => undefined,
};

function begin({ mayTakeLonger }: { readonly mayTakeLonger: boolean }): Call {
	const clock = fakeClock();
	const origin = 'https://todo.forge.test';
	let timeouts = 0;
	let handler: Dispatcher.DispatchHandler | undefined;
	const dispatcher: Pick<Dispatcher, 'dispatch'> = {
		dispatch(_options, given) {
			handler = given;
			return true;
		},
	};
	const request: HttpRequest = {
		method: 'GET',
		origin,
		path: '/',
		limitBytes: 8 * mebibyte,
		signal: new AbortController().signal,
	};
	const outcome = exchange(request, {
		passage: {
			enter: (call) => call.begin(dispatcher),
			proxy: undefined,
			isFound: true,
			leave: () => void (timeouts += 1),
		},
		headers: [],
		clock,
		cancellation: new Cancellation(),
		deadlineMs,
		mayTakeLonger,
		share: bodyRoom().shareFor(origin),
	}).catch((error: unknown) => (error instanceof Error ? error : new Error(String(error))));
	handler?.onRequestStart?.(controller, {});
	handler?.onResponseStart?.(controller, 200, {});
	return {
		clock,
		outcome,
		timeouts: () => timeouts,
		receive: (bytes) => handler?.onResponseData?.(controller, Buffer.alloc(bytes)),
		end: () => handler?.onResponseEnd?.(controller, {}),
	};
}

function isTimeout(outcome: HttpAnswer | Error): boolean {
	return (
		outcome instanceof HttpFailure && outcome.failure.kind === 'unreachable' && outcome.failure.reason === 'timeout'
	);
}

suite('call with a large body', () => {
	test('may exceed the deadline while data keeps arriving', async () => {
		const call = begin({ mayTakeLonger: true });
		for (let part = 0; part < 4; part += 1) {
			call.receive(mebibyte);
			call.clock.advance(deadlineMs);
		}
		call.end();
		const outcome = await call.outcome;
		assert.ok(!(outcome instanceof Error) && outcome.body.byteLength === 4 * mebibyte);
		assert.equal(call.timeouts(), 0);
	});

	test('times out after a pause longer than the received bytes allow', async () => {
		const call = begin({ mayTakeLonger: true });
		call.receive(2 * mebibyte);
		call.clock.advance(deadlineMs);
		call.clock.advance(2 * ofMebibyteMs - deadlineMs - 1);
		assert.equal(call.timeouts(), 0);
		call.clock.advance(1);
		assert.equal(call.timeouts(), 1);
		assert.ok(isTimeout(await call.outcome));
	});

	test('times out at the deadline when data only trickles in', async () => {
		const call = begin({ mayTakeLonger: true });
		call.receive(900_000);
		call.clock.advance(deadlineMs);
		assert.equal(call.timeouts(), 1);
		assert.ok(isTimeout(await call.outcome));
	});

	test('times out at the deadline if the request sets one', async () => {
		const call = begin({ mayTakeLonger: false });
		call.receive(4 * mebibyte);
		call.clock.advance(deadlineMs);
		assert.ok(isTimeout(await call.outcome));
	});
});
