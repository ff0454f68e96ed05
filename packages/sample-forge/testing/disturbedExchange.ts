import { setTimeout as delay } from 'node:timers/promises';
import { type Exchange, sendAnswer } from '../src/server/areaServer.ts';
import { insteadOfAnswer, sendBroken } from './brokenAnswers.ts';
import type { Fault, Faults } from './faults.ts';
import { questionOf } from './questionOf.ts';
import type { RequestLog } from './requestLog.ts';

export interface Disturbance {
	readonly faults: Faults;
	readonly log: RequestLog;
	/** Delay of every response. */
	readonly latencyMs: number;
}

/** Logs every request, delays it, and applies faults. */
export function disturbedExchange({ faults, log, latencyMs }: Disturbance): Exchange {
	return async ({ area, request, response }, answer) => {
		const question = await questionOf(request);
		const fault = faults.take({ area, method: request.method ?? 'GET', url: request.url ?? '/', question });
		const entry = log.begin(area, request, question);
		response.on('close', () => log.end(entry, response.headersSent ? response.statusCode : 0));
		await waitAsTold(latencyMs, fault);
		const instead = insteadOfAnswer(fault, request.url ?? '/');
		if (instead === 'hang') {
			return;
		}
		if (instead === 'reset') {
			request.socket.resetAndDestroy();
			return;
		}
		const once = instead ?? (await answer());
		const made = fault?.kind === 'twice' ? await answer() : once;
		await (breaksSending(fault) ? sendBroken(request, response, made, fault) : sendAnswer(request, response, made));
	};
}

async function waitAsTold(latencyMs: number, fault: Fault | undefined): Promise<void> {
	const waitMs = latencyMs + (fault?.kind === 'delay' ? fault.ms : 0);
	if (waitMs > 0) {
		await delay(waitMs);
	}
}

function breaksSending(fault: Fault | undefined): fault is Fault {
	return fault?.kind === 'truncate' || fault?.kind === 'drip' || fault?.kind === 'reset';
}
