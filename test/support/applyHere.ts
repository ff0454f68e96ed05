import { applySeries, goOn, type ApplyOutcome, type ApplyRequest } from 'hardened-git/applySeries.ts';
import type { ApplyStep, OwnStop } from 'hardened-git/applyObstacles.ts';
import { applyState, checkoutIn, type StoppedState } from 'hardened-git/applyState.ts';
import type { HardenedGit } from 'hardened-git/hardenedGit.ts';
import { fake } from './fake.ts';

const never = new AbortController().signal;

/** Applies on the current checkout. */
export async function applyHere(
	git: HardenedGit,
	request: Omit<ApplyRequest, 'target'>,
	signal = never,
): Promise<ApplyOutcome> {
	const at = await checkoutIn(git, request.root, never);
	return applySeries(git, { ...request, target: { kind: 'here', at } }, signal);
}

/** The stop of this moment; without one a state that fits none. */
export async function stopNow(git: HardenedGit, folder: string, own: Omit<OwnStop, 'state'>): Promise<OwnStop> {
	const state = await applyState(git, folder, never);
	return { ...own, state: state.kind === 'stopped' ? state : fake<StoppedState>({ trace: 'none' }) };
}

/** A step of the stop of this moment. */
export async function stepNow(
	git: HardenedGit,
	folder: string,
	step: ApplyStep,
	own: Omit<OwnStop, 'state'>,
): Promise<ApplyOutcome> {
	return goOn(git, folder, step, await stopNow(git, folder, own), never);
}
