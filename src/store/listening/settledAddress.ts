import type { Clock } from '../../base/clock.ts';
import type { Disposable } from '../../base/lifecycle.ts';
import type { PublicAddress } from './publicAddress.ts';

export interface SettledAddressParts {
	/** Current value of the setting. */
	readonly wished: () => PublicAddress;
	/** The settled address changed. */
	readonly onDidSettle: () => void;
	readonly clock: Pick<Clock, 'after'>;
}

/**
 * Debounces the public address. The editor saves settings while the user types, and a webhook for a private tracker
 * must not go to a half-typed host.
 */
export interface SettledAddress extends Disposable {
	now(): PublicAddress;
	/** Starts the debounce if the setting changed. */
	follow(): void;
	/** Accepts the setting immediately. */
	take(): void;
}

const settledMs = 10_000;

export function settledAddress({ wished, onDidSettle, clock }: SettledAddressParts): SettledAddress {
	let known = wished();
	let coming: { readonly address: PublicAddress; readonly timer: Disposable } | undefined;

	function drop(): void {
		coming?.timer.dispose();
		coming = undefined;
	}

	function take(): void {
		drop();
		known = wished();
	}

	return {
		now: () => known,
		follow() {
			const address = wished();
			if (isSame(address, coming?.address ?? known)) {
				return;
			}
			drop();
			if (!isSame(address, known)) {
				const settle = (): void => {
					take();
					onDidSettle();
				};
				coming = { address, timer: clock.after(settledMs, settle) };
			}
		},
		take,
		dispose: drop,
	};
}

function isSame(one: PublicAddress, other: PublicAddress): boolean {
	return JSON.stringify(one) === JSON.stringify(other);
}
