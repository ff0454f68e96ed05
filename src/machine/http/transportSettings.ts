/** Network settings as plain data, from the editor's settings and the process's environment. */
export interface TransportSettings {
	/** `User-Agent` of all calls, as `ForgeDesk/0.1.0 (VS Code extension)`. */
	readonly userAgent: string;
	/** Concurrent calls per origin outside a walk; 4 is polite. */
	readonly callsInFlight: number;
	/** Proxy URL for TLS origins, if any (`http.proxy`, else `HTTPS_PROXY`). */
	readonly httpsProxy: string | undefined;
	/** For origins without TLS (`http.proxy`, else `HTTP_PROXY`). */
	readonly httpProxy: string | undefined;
	/** Hosts to contact directly (`http.noProxy`, else `NO_PROXY`). */
	readonly noProxy: readonly string[];
	/** False accepts untrusted certificates (`http.proxyStrictSSL`). Warn the user if you set it. */
	readonly strictTls: boolean;
	/** Trusts the system's certificates in addition to the ones of Node.js. */
	readonly systemCertificates: boolean;
}
