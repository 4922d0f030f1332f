package kafka

// checkRules checks what must hold between settings that are each right by themselves.
func (c Config) checkRules() []ConfigError {
	return nil
}
