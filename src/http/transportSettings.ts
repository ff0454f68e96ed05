/** How the network is reached. Plain data from the editor's and the process's settings, read by whoever knows them. */
export interface TransportSettings {
	/** Sent with every call, as `ForgeDesk/0.1.0 (VS Code extension)`. */
	readonly userAgent: string;
	/** Calls in flight per origin outside a walk; 4 is polite. */
	readonly callsInFlight: number;
	/** Address of the proxy, if there is one (`http.proxy`, else `HTTPS_PROXY`). */
	readonly httpsProxy: string | undefined;
	/** For origins without TLS (`http.proxy`, else `HTTP_PROXY`). */
	readonly httpProxy: string | undefined;
	/** Hosts that are reached directly (`http.noProxy`, else `NO_PROXY`). */
	readonly noProxy: readonly string[];
	/** False accepts certificates that cannot be trusted (`http.proxyStrictSSL`); whoever sets it warns the user. */
	readonly strictTls: boolean;
	/** Trust what the system trusts, besides the authorities that Node.js brings. */
	readonly systemCertificates: boolean;
}
