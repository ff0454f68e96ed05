import type { Clock } from '../../base/clock.ts';
import type { Disposable } from '../../base/lifecycle.ts';
import type { PublicAddress } from './publicAddress.ts';

export interface SettledAddressParts {
	/** What the setting says now. */
	readonly wished: () => PublicAddress;
	/** Another address is the settled one. */
	readonly onDidSettle: () => void;
	readonly clock: Pick<Clock, 'after'>;
}

/**
 * The public address as forges are told it. The editor's settings are saved while they are typed, and webhooks of private
 * trackers must not be made at a host that is typed half: it may be somebody's.
 */
export interface SettledAddress extends Disposable {
	now(): PublicAddress;
	/** The setting may be another one: it counts once it has stayed as it is for a while. */
	follow(): void;
	/** What it says counts at once. */
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
