package import Events

extension Effects {
    /// What the event gives reason to claim: a goal that is reached, a turn-around, a strap whose
    /// values come several times, or no longer do.
    ///
    /// The fold only says so; a claim is the event that is appended of it.
    package var claims: [Event] {
        var claims: [Event] = []
        if let turnedAround { claims.append(.turnAroundReached(turnedAround)) }
        if let goalReached { claims.append(.goalReached(goalReached)) }
        if let (device, factor) = delivery {
            let told = DeliveryMultiplied(
                device: device, characteristic: .heartRateMeasurement, factor: factor)
            claims.append(.deliveryMultiplied(told))
        }
        return claims
    }
}
